internal import Locking
internal import Observation

/// The reads of a value that Observation has recorded.
///
/// Observation records a read only while somebody tracks. It doesn't report whether it did. But it
/// holds the key path that was read, from the read until the tracker has been notified or
/// deallocated. So if nobody else holds the key path, nobody tracks.
final class ObservedReads: Observable, @unchecked Sendable {
  // @unchecked: `keyPath` belongs to the only owner of the object, or is under the lock of its
  // value.

  private let registrar = ObservationRegistrar()
  /// The key path, which is an object of its own because it has an argument.
  private var keyPath: KeyPath<ObservedReads, Void>

  /// The same key path, read without reference counting.
  private let uncounted: Unmanaged<KeyPath<ObservedReads, Void>>

  private init(_ number: Int) {
    let keyPath = \ObservedReads[number]
    self.keyPath = keyPath
    uncounted = .passUnretained(keyPath)
  }

  private subscript(number: Int) -> Void { () }

  /// True if somebody tracks, or is about to.
  ///
  /// A thread that reports a change counts as well.
  var areTracked: Bool { !isKnownUniquelyReferenced(&keyPath) }

  /// Records a read, if somebody tracks on this thread.
  func record() {
    uncounted._withUnsafeGuaranteedRef { registrar.access(self, keyPath: $0) }
  }

  /// A change that is reported to the trackers.
  ///
  /// A thread that holds a change counts as a tracker.
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

  /// Returns reads with the one that is about to happen, or nil if nobody tracks that one.
  ///
  /// The value had no recorded reads before. Most reads aren't tracked. So each thread keeps an
  /// object to find that out with, and gives it away when a read is tracked.
  static func ofFirstRead() -> ObservedReads? {
    guard let address = CurrentThread.kept else { return ofFirstReadHere() }
    let kept = Unmanaged<ObservedReads>.fromOpaque(address)
    guard kept._withUnsafeGuaranteedRef({ $0.isRecorded() }) else { return nil }
    CurrentThread.keep(nil, end: end)
    return kept.takeRetainedValue()
  }

  /// Does the same on a thread that keeps no object.
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

  /// Leaves the object to the calling thread.
  ///
  /// Nobody tracks, and nobody else has the object.
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
