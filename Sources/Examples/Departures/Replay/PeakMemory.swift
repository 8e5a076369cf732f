import Foundation

/// The largest amount of memory that this process has used at any time.
enum PeakMemory {
  /// The number of megabytes, or nil if the system doesn't report it.
  static var megabytes: Int? {
    var usage = rusage()
    // The argument is RUSAGE_SELF, whose type differs between systems.
    guard getrusage(0, &usage) == 0 else { return nil }
    #if canImport(Darwin)
    return usage.ru_maxrss / 1_048_576
    #else
    return usage.ru_maxrss / 1024
    #endif
  }
}
