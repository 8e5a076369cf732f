#if os(Linux) || canImport(Darwin)
import EntityStore
import Foundation
import Locking
import TestSupport
import Testing

@testable import SQLitePersistence

@Suite struct `The system reports writes to a file that lies still` {
  private let path = temporaryPath()
  private let writer: Store

  init() throws { writer = try openGarage(path) }

  /// Looks once an hour while the system reports writes, so that only a report explains news.
  private static let intervals = StorageKind.FileWatching.Intervals(
    busy: .milliseconds(2), idle: .milliseconds(15), armed: .seconds(3600))

  private func poller(
    of file: DatabaseFile? = nil, isNew: Bool = true, _ versions: Log<Int64>
  ) -> FilePoller {
    let file = file ?? DatabaseFile(path)
    return FilePoller(
      file, nil, FileGate(path: file.path), Self.intervals,
      { version in
        versions.note(version)
        return isNew
      }, failed: { recordIssue("\($0)") })
  }

  /// Waits until the poller's next check is one in an hour, and returns the number of its checks.
  private func checksAtRest(_ poller: FilePoller) async -> Int {
    #expect(await becomesTrue { poller.nextLook > ContinuousClock.now + .seconds(60) })
    return poller.looks
  }

  private func add(_ id: Int) throws {
    try writer.commit { try $0.insert(Car(id: id, model: "\(id)")) }
  }

  @Test(.timeLimit(.minutes(20)))
  func `P5: a commit is noticed at once, and a file that lies still isn't looked at`() async throws
  {
    let versions = Log<Int64>()
    let poller = poller(versions)
    poller.start()
    #expect(await becomesTrue { versions.entries == [0] })
    for id in 1...3 {
      _ = await checksAtRest(poller)
      try add(id)
      #expect(await becomesTrue { versions.entries.last == Int64(id) })
    }
    poller.end()
  }

  @Test(.timeLimit(.minutes(20)))
  func `P5: a store's own commit ends in a few checks`() async throws {
    let versions = Log<Int64>()
    let poller = poller(isNew: false, versions)
    poller.start()
    for id in 1...5 {
      #expect(await becomesTrue { versions.entries.last == Int64(id - 1) })
      _ = await checksAtRest(poller)
      try add(id)
      #expect(await becomesTrue { versions.entries.last == Int64(id) })
      let checks = poller.looks
      // A quarter of a second of checks every 15 ms. Without that, others would be looked for every
      // 2 ms at first, some 300 times.
      #expect(await checksAtRest(poller) <= checks + 30)
    }
    poller.end()
  }

  @Test(.timeLimit(.minutes(20)))
  func `P5: all that wait for one file are woken by its next write`() async throws {
    let logs = (0..<3).map { _ in Log<Int64>() }
    let pollers = logs.map { poller($0) }
    for poller in pollers { poller.start() }
    for poller in pollers { _ = await checksAtRest(poller) }
    pollers[1].end()
    try add(1)
    #expect(await becomesTrue { logs[0].entries == [0, 1] && logs[2].entries == [0, 1] })
    #expect(logs[1].entries == [0])
    pollers[0].end()
    pollers[2].end()
  }

  @Test(.timeLimit(.minutes(20)))
  func `P5, P9: a file that is only read isn't looked at until somebody opens it to write`()
    async throws
  {
    var file = DatabaseFile(temporaryPath())
    file.isReadOnly = true
    let first = try openGarage(file.path)
    try first.commit { try $0.insert(Car(id: 1, model: "1")) }
    await first.close()
    try #require(!FileManager.default.fileExists(atPath: file.path + "-wal"))
    let alarm = FileAlarm(file.path, WakeUp())
    try #require(alarm.arm())
    alarm.disarm()
    let versions = Log<Int64>()
    let poller = poller(of: file, versions)
    poller.start()
    #expect(await becomesTrue { versions.entries == [1] })
    _ = await checksAtRest(poller)
    let writer = try openGarage(file.path)
    try writer.commit { try $0.insert(Car(id: 2, model: "2")) }
    #expect(await becomesTrue { versions.entries.last == 2 })
    poller.end()
  }

  @Test func `P5: an alarm rings once, for writes, deletions and replacements`() async throws {
    let alarm = FileAlarm(path, WakeUp())
    try #require(alarm.arm())
    #expect(!alarm.takeRing())
    try add(1)
    #expect(await becomesTrue { alarm.takeRing() })
    let other = FileAlarm(path, WakeUp())
    #expect(other.arm())
    try add(2)
    #expect(await becomesTrue { other.takeRing() })
    #expect(!alarm.takeRing(), "it isn't armed any more")
    #expect(alarm.arm())
    try FileManager.default.moveItem(atPath: path + "-wal", toPath: path + "-moved")
    #expect(await becomesTrue { alarm.takeRing() })
    // Without a WAL it waits for one, and for no other file.
    #expect(alarm.arm())
    let beside = path + "-beside"
    try Data().write(to: URL(fileURLWithPath: beside))
    let second = FileAlarm(beside, WakeUp())
    try #require(second.arm())
    try FileManager.default.moveItem(atPath: path + "-moved", toPath: beside + "-wal")
    #expect(await becomesTrue { second.takeRing() })
    #expect(!alarm.takeRing())
    try FileManager.default.moveItem(atPath: beside + "-wal", toPath: path + "-wal")
    #expect(await becomesTrue { alarm.takeRing() })
    #expect(alarm.arm())
  }

  @Test func `P5: an alarm for a link rings for the file to which it leads`() async throws {
    let link = temporaryPath()
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let alarm = FileAlarm(link, WakeUp())
    try #require(alarm.arm())
    try add(1)
    #expect(await becomesTrue { alarm.takeRing() })
  }

  @Test func `P5: an alarm that is armed again and again keeps no file open`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      func openFiles() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count) ?? -1
      }
      let path = temporaryPath()
      let store = try openGarage(path)
      let alarm = FileAlarm(path, WakeUp())
      guard alarm.arm() else { exit(1) }
      let before = openFiles()
      for _ in 0..<100 where !alarm.arm() { exit(2) }
      try store.commit { try $0.insert(Car(id: 1, model: "a")) }
      exit(await becomesTrue { alarm.takeRing() && openFiles() <= before } ? 7 : 3)
    }
  }

  @Test func `P5: a file that isn't there is looked at by the clock`() {
    #expect(!FileAlarm(temporaryPath(), WakeUp()).arm())
  }

  @Test func `R3: an alarm that is disarmed is kept by nobody, and wakes nobody`() throws {
    weak var gone: FileAlarm?
    do {
      let alarm = FileAlarm(path, WakeUp())
      let other = FileAlarm(path, WakeUp())
      #expect(alarm.arm() && alarm.arm() && other.arm())
      gone = alarm
      alarm.disarm()
      other.disarm()
      alarm.disarm()
    }
    #expect(gone == nil)
    try add(1)
  }
}
#endif
