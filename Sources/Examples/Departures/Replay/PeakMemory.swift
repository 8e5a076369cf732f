import Foundation

/// The most memory that this process has had at once.
enum PeakMemory {
  /// In megabytes; nil if the system doesn't say.
  static var megabytes: Int? {
    var usage = rusage()
    // RUSAGE_SELF, whose type isn't the same on all systems.
    guard getrusage(0, &usage) == 0 else { return nil }
    #if canImport(Darwin)
    return usage.ru_maxrss / 1_048_576
    #else
    return usage.ru_maxrss / 1024
    #endif
  }
}
