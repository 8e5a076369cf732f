public import Locking
internal import Observation

/// What `withObservationTracking` knows of a state relay: that its value was read, or changes.
///
/// Who reads is entered as a tracker some time after the read, and nobody says when. So once the value
/// has been read every change is told, though it costs more than the change.
final class ObservedValue: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  /// Whether the value was read since the last change was told.
  private let wasRead = AtomicWord(0)

  /// The thread that tells of a change, or 0.
  private let teller = AtomicWord(0)

  /// 1 when a tracker that is told has changed the value, which those who read it before don't know.
  private let owed = AtomicWord(0)

  /// How often in a row trackers are told of what they have set themselves.
  private static let patience = 100

  /// Kept, since making a key path costs more than reading a value.
  private let keyPath: any KeyPath<ObservedValue, Void> & Sendable = \.value

  /// What stands for the relay's value.
  private var value: Void { () }

  /// Notes that the value is about to be read.
  func access() {
    if wasRead.loadRelaxed() == 0 { wasRead.store(1) }
    registrar.access(self, keyPath: keyPath)
  }

  /// Says that the value is about to change.
  func willChange() {
    tell(hasChanged: false) {
      wasRead.store(0)
      registrar.willSet(self, keyPath: keyPath)
    }
  }

  /// Says that the value has changed.
  ///
  /// Who has read the value since `willChange` may have seen the old one, and is told as well.
  func didChange() {
    tell {
      registrar.didSet(self, keyPath: keyPath)
      if wasRead.loadRelaxed() != 0 { tellAll() }
    }
  }

  /// Says that the value has changed, once everybody who reads sees the new one.
  func hasChanged() {
    tell {
      wasRead.store(0)
      tellAll()
    }
  }

  private func tellAll() {
    registrar.willSet(self, keyPath: keyPath)
    registrar.didSet(self, keyPath: keyPath)
  }

  /// Tells one change at a time on a thread.
  ///
  /// A tracker that is told stays until it has returned, and would be told of what it sets inside that.
  /// So it and all others are told afterwards, some times: one that always sets would go on forever.
  private func tell(hasChanged: Bool = true, _ body: () -> Void) {
    let thread = CurrentThread.token
    guard teller.loadRelaxed() != thread else {
      if hasChanged { owed.store(1) }
      return
    }
    teller.store(thread)
    body()
    var patience = Self.patience
    while owed.loadRelaxed() != 0 && owed.exchange(0) != 0 && patience > 0 {
      patience -= 1
      tellAll()
    }
    teller.store(0)
  }
}

/// The place of an `ObservedValue`, which is made when the value is read for the first time.
///
/// Nothing here depends on the type of the value, so nothing needs to be specialised for it.
@usableFromInline package struct ObservedPlace: ~Copyable, Sendable {
  /// The address of the `ObservedValue`, or 0.
  @usableFromInline let address = AtomicWord(0)

  @usableFromInline package init() {}

  deinit {
    guard let pointer = UnsafeRawPointer(bitPattern: address.load()) else { return }
    Unmanaged<ObservedValue>.fromOpaque(pointer).release()
  }

  @inlinable var isEmpty: Bool { address.loadRelaxed() == 0 }

  /// Notes that the value is about to be read.
  @usableFromInline package func access() {
    if address.load() == 0 {
      let new = Unmanaged.passRetained(ObservedValue())
      if !address.compareExchange(0, Int(bitPattern: new.toOpaque())) { new.release() }
    }
    value?._withUnsafeGuaranteedRef { $0.access() }
  }

  /// Says that the value is about to change.
  @usableFromInline func willChange() {
    value?._withUnsafeGuaranteedRef { $0.willChange() }
  }

  /// Says that the value has changed.
  @usableFromInline func didChange() {
    value?._withUnsafeGuaranteedRef { $0.didChange() }
  }

  /// Says that the value has changed, once everybody who reads sees the new one.
  ///
  /// For who shows first and tells afterwards: a tracker never reads what is being replaced.
  package func hasChanged() {
    if !isEmpty { value?._withUnsafeGuaranteedRef { $0.hasChanged() } }
  }

  private var value: Unmanaged<ObservedValue>? {
    UnsafeRawPointer(bitPattern: address.load()).map { .fromOpaque($0) }
  }
}
