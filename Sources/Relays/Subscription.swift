public import Locking

/// One subscription as the slots see it, whatever is passed on.
@usableFromInline class Subscription: @unchecked Sendable {
  // @unchecked: `live` is atomic, and `slot` belongs to whoever holds the relay's gate.
  @usableFromInline struct Fields {
    /// 1 until the subscription is cancelled.
    @usableFromInline var live: Int32 = 1
    /// The place among the relay's slots, or -1.
    var slot: Int32 = -1
    /// The token, until it is cancelled or nothing can come any more; under the relay's lock.
    ///
    /// A token takes itself out before it is deallocated.
    var token: Unmanaged<SubscriptionToken>?

    @usableFromInline init() {}
  }

  /// Reached through `fields` alone.
  private var storage = Fields()

  @usableFromInline init() {}

  /// The fields at their address, since an atomic needs one.
  @inlinable final var fields: UnsafeMutablePointer<Fields> {
    _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: Fields.self)
  }

  @inlinable final var live: UnsafeAtomicWord {
    // `live` is the first field, so it stands at the address of the whole.
    UnsafeAtomicWord(UnsafeMutableRawPointer(fields).assumingMemoryBound(to: Int32.self))
  }

  /// The check that begins each delivery.
  @inlinable final var isLive: Bool { live.loadRelaxed() != 0 }

  final var slot: Int {
    get { Int(fields.pointee.slot) }
    set { fields.pointee.slot = Int32(newValue) }
  }

  /// Says that no value can come any more.
  @usableFromInline func end() {}

  /// Gives the reference that the token owns, once, for the caller to release; the relay's lock is held.
  final func takeFromToken() -> Unmanaged<Subscription>? {
    guard let token = fields.pointee.token else { return nil }
    fields.pointee.token = nil
    return token._withUnsafeGuaranteedRef { token in
      defer { token.subscription = nil }
      return token.subscription
    }
  }
}
