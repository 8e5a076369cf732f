#if canImport(Darwin)
internal import Darwin
internal import Dispatch

/// The events of Apple's systems, which report changes to files that are open.
///
/// Only the WAL is opened, or the folder. If the file itself or its shared memory were opened and
/// closed here, the process would lose its locks on them.
enum FileEvents {
  /// The source of an alarm's first event.
  struct Armed: @unchecked Sendable {
    // @unchecked: any thread may cancel a source, also more than once.
    fileprivate let source: any DispatchSourceFileSystemObject

    func cancel(_ alarm: FileAlarm) { source.cancel() }
  }

  /// Arms an alarm for the WAL of a file.
  ///
  /// A file that only stores have open that only read has no WAL. Then the alarm is armed for the
  /// folder, in which a program that writes creates one first.
  ///
  /// - Returns: the source, or nil if the WAL, or else the folder, can't be opened.
  static func arm(_ alarm: FileAlarm, for path: String) -> Armed? {
    let log = path + "-wal"
    if access(log, F_OK) == 0 { return watch(log) { [weak alarm] in alarm?.ring() } }
    if access(path, F_OK) != 0 { return nil }
    let armed = watch(alarm.folder) { [weak alarm] in
      // Another file may have come or gone.
      if access(log, F_OK) == 0 || access(path, F_OK) != 0 { alarm?.ring() }
    }
    // The WAL may have been created before the folder was watched.
    guard armed != nil, access(log, F_OK) == 0 else { return armed }
    armed?.cancel(alarm)
    return nil
  }

  private static func watch(_ path: String, _ body: @escaping @Sendable () -> Void) -> Armed? {
    let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    let source = DispatchSource.makeFileSystemObjectSource(
      fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename, .revoke],
      queue: .global(qos: .utility))
    source.setEventHandler { body() }
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
