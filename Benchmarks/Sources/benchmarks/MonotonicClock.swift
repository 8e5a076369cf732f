#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A source of nanoseconds that only moves forward.
struct MonotonicClock {
  let now: () -> UInt64

  /// The clock of the machine.
  static var system: MonotonicClock { MonotonicClock(now: systemNanoseconds) }

  private static func systemNanoseconds() -> UInt64 {
    #if canImport(Darwin)
    return clock_gettime_nsec_np(CLOCK_UPTIME_RAW)
    #else
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    #endif
  }
}
