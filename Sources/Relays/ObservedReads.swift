internal import Locking
internal import Observation

/// The reads of a value that Observation has recorded.
///
/// Observation records a read where somebody tracks, and nowhere else. It doesn't say whether it did, but holds the
/// key path that was read: from the read on, until who tracks has been told or has gone. So where nobody else holds
/// the key path, nobody tracks.
final class ObservedReads: Observable, @unchecked Sendable {
  // @unchecked: `keyPath` belongs to whoever has the object alone, or is under the lock of its value.

  private let registrar = ObservationRegistrar()
  /// An object of its own, since it has an argument.
  private var keyPath: KeyPath<ObservedReads, Void>

  /// The same, to be read without a count.
  private let uncounted: Unmanaged<KeyPath<ObservedReads, Void>>

  private init(_ number: Int) {
    let keyPath = \ObservedReads[number]
    self.keyPath = keyPath
    uncounted = .passUnretained(keyPath)
  }

  private subscript(number: Int) -> Void { () }

  /// Whether anybody tracks, or is about to.
  ///
  /// A thread that tells of a change counts, too.
  var areTracked: Bool { !isKnownUniquelyReferenced(&keyPath) }

  /// Has a read recorded, if somebody tracks on this thread.
  func record() {
    uncounted._withUnsafeGuaranteedRef { registrar.access(self, keyPath: $0) }
  }

  /// A change that those who track are told of; who has it counts as one of them.
  struct Change {
    private let reads: ObservedReads
    private let keyPath: KeyPath<ObservedReads, Void>

    init(_ reads: ObservedReads) {
      self.reads = reads
      keyPath = reads.keyPath
    }

    func willChange() { reads.registrar.willSet(reads, keyPath: keyPath) }

    func didChange() { reads.registrar.didSet(reads, keyPath: keyPath) }
  }

  // MARK: The first read

  /// Reads of a value that had none: with the one that is about to happen, or nil if nobody tracks that.
  ///
  /// Most reads aren't tracked. So each thread keeps an object to find that out with, and gives it away when one is.
  static func ofFirstRead() -> ObservedReads? {
    guard let address = CurrentThread.kept else { return ofFirstReadHere() }
    let kept = Unmanaged<ObservedReads>.fromOpaque(address)
    guard kept._withUnsafeGuaranteedRef({ $0.isRecorded() }) else { return nil }
    CurrentThread.keep(nil, end: end)
    return kept.takeRetainedValue()
  }

  /// The same on a thread that keeps none.
  private static func ofFirstReadHere() -> ObservedReads? {
    let reads = ObservedReads(0)
    if reads.isRecorded() { return reads }
    reads.leave()
    return nil
  }

  private func isRecorded() -> Bool {
    record()
    return areTracked
  }

  /// Leaves the object to the calling thread; nobody tracks, and nobody else has it.
  func leave() {
    guard CurrentThread.kept == nil else { return }
    let kept = Unmanaged.passRetained(self)
    if !CurrentThread.keep(kept.toOpaque(), end: Self.end) { kept.release() }
  }

  private static let end: @convention(c) (UnsafeMutableRawPointer?) -> Void = { address in
    guard let address else { return }
    Unmanaged<ObservedReads>.fromOpaque(address).release()
  }
}
