public import Locking

/// The storage of an `ObservationLink`, which is made when the value is tracked for the first time.
///
/// Nothing here depends on the type of the value, so nothing needs to be specialised for it.
@usableFromInline package struct ObservedPlace: ~Copyable, Sendable {
  /// The address of the `ObservationLink`, or 0; it is odd while somebody may track.
  @usableFromInline let word = AtomicWord(0)

  @usableFromInline package init() {}

  deinit { value?.release() }

  /// True if somebody may track the value, so that changes have to be reported.
  @inlinable var isTracked: Bool { word.loadRelaxed() & 1 != 0 }

  /// Records that the value is about to be read.
  @usableFromInline package func access() {
    if isTracked, let value {
      let isRecorded = value._withUnsafeGuaranteedRef { $0.access() }
      if isRecorded { return }
    }
    guard let reads = ObservedReads.ofFirstRead() else { return }
    let value = makeValue()
    value._withUnsafeGuaranteedRef { $0.adopt(reads) { word.store(address(of: value) | 1) } }
  }

  @usableFromInline func willChange() {
    value?._withUnsafeGuaranteedRef { $0.willChange() }
  }

  @usableFromInline func didChange() {
    guard let value else { return }
    value._withUnsafeGuaranteedRef {
      $0.didChange()
      $0.settle { word.store(address(of: value)) }
    }
  }

  /// Reports that the value has changed, once every reader sees the new one.
  ///
  /// It is for code that first shows a value and then reports it: a tracker never reads the value
  /// that is being replaced.
  package func hasChanged() {
    guard isTracked, let value else { return }
    value._withUnsafeGuaranteedRef {
      $0.hasChanged()
      $0.settle { word.store(address(of: value)) }
    }
  }

  private var value: Unmanaged<ObservationLink>? {
    UnsafeRawPointer(bitPattern: word.load() & ~1).map { .fromOpaque($0) }
  }

  private func makeValue() -> Unmanaged<ObservationLink> {
    if let value { return value }
    let new = Unmanaged.passRetained(ObservationLink())
    if word.compareExchange(0, address(of: new)) { return new }
    new.release()
    return value ?? makeValue()
  }

  private func address(of value: Unmanaged<ObservationLink>) -> Int {
    Int(bitPattern: value.toOpaque())
  }
}
