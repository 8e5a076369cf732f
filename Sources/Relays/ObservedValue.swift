public import Locking
internal import Observation

/// What `withObservationTracking` knows of a state relay: that its value was read, or changes.
///
/// Telling the registrar of a change costs far more than the change, so it is told only if the
/// value was read since it was told last.
final class ObservedValue: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let wasRead = AtomicWord(0)

  /// Kept, since making a key path costs more than reading a value.
  private let keyPath: any KeyPath<ObservedValue, Void> & Sendable = \.value

  /// What stands for the relay's value.
  private var value: Void { () }

  /// Notes that the value is about to be read.
  func access() {
    if wasRead.loadRelaxed() == 0 { wasRead.store(1) }
    registrar.access(self, keyPath: keyPath)
  }

  /// Says that the value is about to change, if anyone has read it.
  func willChange() -> Bool {
    guard wasRead.loadRelaxed() != 0, wasRead.exchange(0) != 0 else { return false }
    registrar.willSet(self, keyPath: keyPath)
    return true
  }

  /// Says that the value has changed.
  ///
  /// Who has read the value since `willChange` may have seen the old one, and is told as well.
  func didChange(wasTold: Bool) {
    if wasTold { registrar.didSet(self, keyPath: keyPath) }
    if willChange() { registrar.didSet(self, keyPath: keyPath) }
  }
}

/// The place of an `ObservedValue`, which is made when the value is read for the first time.
///
/// Nothing here depends on the type of the value, so nothing needs to be specialised for it.
@usableFromInline struct ObservedPlace: ~Copyable, Sendable {
  /// The address of the `ObservedValue`, or 0.
  @usableFromInline let address = AtomicWord(0)

  @usableFromInline init() {}

  deinit {
    guard let pointer = UnsafeRawPointer(bitPattern: address.load()) else { return }
    Unmanaged<ObservedValue>.fromOpaque(pointer).release()
  }

  @inlinable var isEmpty: Bool { address.loadRelaxed() == 0 }

  /// Notes that the value is about to be read.
  @usableFromInline func access() {
    if address.load() == 0 {
      let new = Unmanaged.passRetained(ObservedValue())
      if !address.compareExchange(0, Int(bitPattern: new.toOpaque())) { new.release() }
    }
    value?._withUnsafeGuaranteedRef { $0.access() }
  }

  /// Says that the value is about to change, if anyone has read it.
  @usableFromInline func willChange() -> Bool {
    value?._withUnsafeGuaranteedRef { $0.willChange() } ?? false
  }

  /// Says that the value has changed.
  @usableFromInline func didChange(wasTold: Bool) {
    value?._withUnsafeGuaranteedRef { $0.didChange(wasTold: wasTold) }
  }

  private var value: Unmanaged<ObservedValue>? {
    UnsafeRawPointer(bitPattern: address.load()).map { .fromOpaque($0) }
  }
}
