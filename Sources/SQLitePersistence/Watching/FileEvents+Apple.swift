#if canImport(Darwin)
internal import Darwin
internal import Dispatch

/// The events of Apple's systems, which report changes to files that are open.
///
/// Only the WAL is opened. If the file itself or its shared memory were opened and closed here, the
/// process would lose its locks on them.
enum FileEvents {
  /// The source of an alarm's first event.
  struct Armed: @unchecked Sendable {
    // @unchecked: any thread may cancel a source, also more than once.
    fileprivate let source: any DispatchSourceFileSystemObject

    func cancel(_ alarm: FileAlarm) { source.cancel() }
  }

  /// Arms an alarm for the WAL of a file.
  ///
  /// - Returns: the source, or nil if the WAL can't be opened.
  static func arm(_ alarm: FileAlarm, for path: String) -> Armed? {
    let descriptor = open(path + "-wal", O_EVTONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    let source = DispatchSource.makeFileSystemObjectSource(
      fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename, .revoke],
      queue: .global(qos: .utility))
    source.setEventHandler { [weak alarm] in alarm?.ring() }
    source.setCancelHandler { close(descriptor) }
    source.activate()
    return Armed(source: source)
  }
}
#elseif !canImport(Glibc)
/// The events of systems on which files are checked by the clock alone.
enum FileEvents {
  /// A state that no alarm reaches.
  struct Armed: Sendable {
    func cancel(_ alarm: FileAlarm) {}
  }

  static func arm(_ alarm: FileAlarm, for path: String) -> Armed? { nil }
}
#endif
