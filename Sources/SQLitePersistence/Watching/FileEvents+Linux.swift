#if canImport(Glibc)
internal import Glibc
internal import Locking

/// The instance of inotify of this process, by which Linux reports changes to files.
///
/// Linux allows a user few instances, so all alarms of a process share one, and a thread that waits
/// for it. It belongs to the process that has made it: one that is forked shares its events, and so
/// it uses none. (The method is that of the manual, inotify(7).)
final class FileEvents: Sendable {
  /// The watches of an alarm, which end with the first event that rings it.
  struct Armed: Sendable {
    fileprivate let watches: [Int32]

    func cancel(_ alarm: FileAlarm) { FileEvents.shared?.cancel(watches, alarm) }
  }

  private static let shared = FileEvents()
  /// The events of a file that is deleted or replaced.
  private static let gone =
    UInt32(IN_ATTRIB) | UInt32(IN_MOVE_SELF) | UInt32(IN_DELETE_SELF) | UInt32(IN_ONESHOT)
  /// The events of a folder that gets a file.
  ///
  /// Its watch goes on, because the file may be another one than that for which an alarm waits.
  private static let added = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)

  private let descriptor: Int32
  private let process = getpid()
  /// 1 once the thread can't read events any more.
  private let hasEnded = AtomicWord(0)
  /// The alarms by the number of their watch.
  private let alarms = Locked<[Int32: [ObjectIdentifier: FileAlarm]]>([:])

  private init?() {
    descriptor = inotify_init1(Int32(IN_CLOEXEC))
    if descriptor < 0 { return nil }
    if PlatformThread.start({ [self] in run() }) { return }
    close(descriptor)
    return nil
  }

  /// Arms an alarm for a file, its WAL and its shared memory.
  ///
  /// A file that only stores have open that only read has no WAL. Then the alarm is armed for the
  /// folder, in which a program that writes creates one first.
  ///
  /// - Returns: the watches, or nil if one of the files can't be watched.
  static func arm(_ alarm: FileAlarm, for path: String) -> Armed? {
    guard let shared, getpid() == shared.process, shared.hasEnded.load() == 0 else { return nil }
    let log = path + "-wal"
    if access(log, F_OK) == 0 {
      // A write to the file itself moves commits into it that the WAL had before.
      return shared.arm(
        alarm,
        [(log, Self.gone | UInt32(IN_MODIFY)), (path + "-shm", Self.gone), (path, Self.gone)])
    }
    let armed = shared.arm(alarm, [(alarm.folder, Self.added), (path, Self.gone)])
    // The WAL may have been created before the folder was watched.
    guard armed != nil, access(log, F_OK) == 0 else { return armed }
    armed?.cancel(alarm)
    return nil
  }

  private func arm(_ alarm: FileAlarm, _ files: [(path: String, events: UInt32)]) -> Armed? {
    var watches: [Int32] = []
    for file in files {
      let number = watch(file.path, file.events, alarm)
      if number < 0 {
        cancel(watches, alarm)
        return nil
      }
      watches.append(number)
    }
    return Armed(watches: watches)
  }

  private func watch(_ path: String, _ events: UInt32, _ alarm: FileAlarm) -> Int32 {
    alarms.withLock { alarms in
      // The thread looks the number up under the lock, so an event can't come too early for it.
      let watch = inotify_add_watch(descriptor, path, events)
      if watch >= 0 { alarms[watch, default: [:]][ObjectIdentifier(alarm)] = alarm }
      return watch
    }
  }

  private func cancel(_ watches: [Int32], _ alarm: FileAlarm) {
    if getpid() != process { return }
    alarms.withLock { alarms in
      for watch in watches
      where alarms[watch]?.removeValue(forKey: ObjectIdentifier(alarm)) != nil {
        // Another store may wait for the same file.
        if alarms[watch]?.isEmpty ?? true {
          alarms[watch] = nil
          inotify_rm_watch(descriptor, watch)
        }
      }
    }
  }

  private func run() {
    let header = MemoryLayout<inotify_event>.size
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0 && errno == EINTR { continue }
      // Files are checked by the clock then.
      if count < header { return hasEnded.store(1) }
      var offset = 0
      while offset + header <= count {
        let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let start = offset + header
        offset = start + Int(event.len)
        // Zeros fill the place of the name.
        ring(event.wd, Array(buffer[start..<min(offset, count)].prefix { $0 != 0 }))
      }
    }
  }

  /// Rings the alarms of a watch, or all of them if the number is -1 because events were lost.
  ///
  /// The name is that of the file that a folder has got, or empty if the watch has ended.
  private func ring(_ watch: Int32, _ name: [UInt8]) {
    let rung: [FileAlarm] = alarms.withLock { alarms in
      if !name.isEmpty { return alarms[watch]?.values.filter { $0.isLog(name) } ?? [] }
      if watch >= 0 { return alarms.removeValue(forKey: watch).map { Array($0.values) } ?? [] }
      defer { alarms = [:] }
      return alarms.values.flatMap(\.values)
    }
    for alarm in rung { alarm.ring() }
  }
}
#endif
