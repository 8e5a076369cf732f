#if os(macOS) || os(Linux)
internal import Foundation

/// A limit that the system has for this process.
public enum ProcessLimit: Sendable {
  /// The size of each file that the process writes, in bytes.
  case fileSize
  /// The number of files that the process has open.
  case openFiles

  /// Sets the limit.
  ///
  /// A later call may raise it again, up to what the system allows.
  public func set(to value: UInt32) {
    #if canImport(Glibc)
    let resource =
      switch self {
      case .fileSize: __rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue))
      case .openFiles: __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
      }
    #else
    let resource =
      switch self {
      case .fileSize: RLIMIT_FSIZE
      case .openFiles: RLIMIT_NOFILE
      }
    #endif
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = rlim_t(value)
    setrlimit(resource, &limit)
  }
}
#endif
