import Foundation
import LineProgram
import Signalbox
import TestSupport

@testable import Chat

let morning = Date(timeIntervalSince1970: 1_782_550_800)  // 2026-06-27 09:00 UTC

let gregorian: Calendar = {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = .gmt
  return calendar
}()

/// Two conversations, of which Ann has read the first 20 messages of the first one.
@MainActor struct ChatFixture {
  let store: Store
  let chat: Chat
  let bob: Person.ID
  let cleo: Person.ID

  init(_ kind: StorageKind = .inMemory, as name: String = "Ann") throws {
    store = try Store(kind, entities: Chat.entities)
    chat = try Chat(store, as: name)
    bob = try Chat.join("Bob", in: store)
    cleo = try Chat.join("Cleo", in: store)
    guard try store.count(Query<Conversation>()) == 0 else { return }
    let hiking = try chat.begin("Hiking")
    let work = try chat.begin("Work")
    for number in 1...24 {
      let author = [bob, cleo, chat.user][number % 3]
      try chat.send("message \(number)", by: author, to: hiking, at: morning + Double(number) * 60)
    }
    try chat.markRead(hiking, through: 20)
    try chat.send("report", by: bob, to: work, at: morning + 3600)
  }
}

/// A program whose lines a test writes, and whose output it compares.
@MainActor final class ChatScript {
  let fixture: ChatFixture
  let front: ChatFront
  private let lines: Lines

  private final class Lines { var all: [String] = [] }

  init(_ kind: StorageKind = .inMemory, as name: String = "Ann") throws {
    fixture = try ChatFixture(kind, as: name)
    let lines = Lines()
    self.lines = lines
    front = try ChatFront(
      fixture.chat, output: LiveOutput { lines.all.append($0) }, calendar: gregorian, showing: 4,
      now: { morning + 86_400 })
  }

  /// Writes lines, and returns what is printed.
  func take(_ commands: String...) -> String {
    for command in commands where !front.take(command) { lines.all.append("ended") }
    return takeLines()
  }

  func begin() -> String {
    front.begin()
    return takeLines()
  }

  /// Reads the commits of other programs, and returns what is printed.
  func follow() async throws -> String {
    try fixture.store.refresh()
    await fixture.store.flush()
    front.output.printEvents()
    return takeLines()
  }

  private func takeLines() -> String {
    defer { lines.all = [] }
    return lines.all.joined(separator: "\n")
  }
}
