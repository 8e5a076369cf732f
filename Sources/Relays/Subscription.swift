public import Locking

/// One subscription as the slots see it, whatever the type of its values.
@usableFromInline class Subscription: @unchecked Sendable {
  // @unchecked: `live` is atomic, and `slot` belongs to the thread that holds the relay's gate.
  @usableFromInline struct Fields {
    /// 1 until the subscription is cancelled.
    @usableFromInline var live: Int32 = 1
    /// The index among the relay's slots, or -1.
    var slot: Int32 = -1
    /// The token, until it is cancelled or no value can come any more; under the relay's lock.
    ///
    /// A token removes itself before it is deallocated.
    var token: Unmanaged<SubscriptionToken>?

    @usableFromInline init() {}
  }

  /// The fields; all code reaches them through `fields`.
  private var storage = Fields()

  @usableFromInline init() {}

  /// The address of the fields, because an atomic word needs one.
  @inlinable final var fields: UnsafeMutablePointer<Fields> {
    _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: Fields.self)
  }

  @inlinable final var live: UnsafeAtomicWord {
    // `live` is the first field, so its address is that of the whole.
    UnsafeAtomicWord(UnsafeMutableRawPointer(fields).assumingMemoryBound(to: Int32.self))
  }

  /// True until the subscription is cancelled; each delivery begins with this check.
  @inlinable final var isLive: Bool { live.loadRelaxed() != 0 }

  final var slot: Int {
    get { Int(fields.pointee.slot) }
    set { fields.pointee.slot = Int32(newValue) }
  }

  /// Notifies the subscriber that no value can come any more.
  @usableFromInline func end() {}

  /// Takes the reference that the token owns, once, for the caller to release.
  ///
  /// The relay's lock is held.
  final func takeFromToken() -> Unmanaged<Subscription>? {
    guard let token = fields.pointee.token else { return nil }
    // `take()` would access all fields, of which other threads read some.
    fields.pointee.token = nil
    return token._withUnsafeGuaranteedRef { token in
      defer { token.subscription = nil }
      return token.subscription
    }
  }
}
