internal import Locking

/// Numbers for results, by which an inspector distinguishes them.
enum LiveSerial {
  private static let last = AtomicWord(0)

  static func next() -> Int { last.add(1) + 1 }
}
