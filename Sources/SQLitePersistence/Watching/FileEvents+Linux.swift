#if canImport(Glibc)
internal import Glibc
internal import Locking

/// The instance of inotify of this process, by which Linux reports changes to files.
///
/// Linux allows a user few instances, so all alarms of a process share one, and a thread that waits
/// for it. It belongs to the process that has made it: one that is forked shares its events, and so
/// it uses none. (The method is that of the manual, inotify(7).)
final class FileEvents: Sendable {
  /// The watches of an alarm, each of which ends with its first event.
  struct Armed: Sendable {
    fileprivate let watches: [Int32]

    func cancel(_ alarm: FileAlarm) { FileEvents.shared?.cancel(watches, alarm) }
  }

  private static let shared = FileEvents()
  /// The events of a file that is deleted or replaced.
  private static let gone =
    UInt32(IN_ATTRIB) | UInt32(IN_MOVE_SELF) | UInt32(IN_DELETE_SELF) | UInt32(IN_ONESHOT)

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
  /// - Returns: the watches, or nil if one of the files can't be watched.
  static func arm(_ alarm: FileAlarm, for path: String) -> Armed? {
    guard let shared, getpid() == shared.process, shared.hasEnded.load() == 0 else { return nil }
    // A write to the file itself moves commits into it that the WAL had before.
    let watches = [
      shared.watch(path + "-wal", Self.gone | UInt32(IN_MODIFY), alarm),
      shared.watch(path + "-shm", Self.gone, alarm), shared.watch(path, Self.gone, alarm),
    ]
    let armed = Armed(watches: watches)
    if watches.allSatisfy({ $0 >= 0 }) { return armed }
    armed.cancel(alarm)
    return nil
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
        offset += header + Int(event.len)
        ring(event.wd)
      }
    }
  }

  /// Rings the alarms of a watch, or all of them if the number is -1 because events were lost.
  private func ring(_ watch: Int32) {
    let rung = alarms.withLock { alarms in
      if watch >= 0 { return alarms.removeValue(forKey: watch).map { [$0] } ?? [] }
      defer { alarms = [:] }
      return Array(alarms.values)
    }
    for alarm in rung.flatMap(\.values) { alarm.ring() }
  }
}
#endif
