import Foundation
import Signalbox
import TestSupport
import Testing

@testable import Chat

@MainActor struct ChatStateTests {
  private let fixture: ChatFixture
  private var chat: Chat { fixture.chat }

  init() throws { fixture = try ChatFixture() }

  private func screen(_ size: Int = 4) throws -> ConversationScreen {
    try ConversationScreen(1, of: chat, calendar: gregorian, showing: size)
  }

  @Test func `A message is unread for everybody but its author`() throws {
    let lists = try ["Ann", "Bob", "Cleo"].map {
      try ConversationsScreen(Chat(fixture.store, as: $0))
    }
    let before = lists.map(\.badge.value)
    try chat.send("hello", by: fixture.bob, to: 2, at: morning)
    #expect(zip(lists, before).map { $0.badge.value - $1 } == [1, 0, 1])
    #expect(lists[0].unreadCount(2) == 2)
  }

  @Test func `The conversation of the latest message is first`() throws {
    let list = try ConversationsScreen(chat)
    #expect(list.lines == ["2 Work (1) Bob: report", "1 Hiking (3) Bob: message 24"])
    let events = Recorder(list.conversations.didChange)
    try chat.send("hello", by: chat.user, to: 1, at: morning)
    #expect(list.lines == ["1 Hiking (3) Ann: hello", "2 Work (1) Bob: report"])
    #expect(events.values.map { "\($0.changes)" } == ["move 0.1 → 0.0"])
    #expect(try chat.begin("Music") == 3)
    #expect(list.lines.last == "3 Music (0) no messages")
  }

  @Test func `Reading marks what was shown, and no later message`() throws {
    let list = try ConversationsScreen(chat)
    let screen = try screen()
    try screen.showFirstUnread(before: 1, after: 1)
    #expect(screen.messages.fetchedObjects.map(\.id) == [20, 21, 22])
    #expect(screen.lines.map { $0.contains("•") } == [false, false, true, true])
    try screen.markShownAsRead()
    #expect(list.unreadCount(1) == 1 && list.unreadCount(2) == 1)
    #expect(screen.lines.map { $0.contains("•") } == [false, false, false, false])
    try screen.showEnd()
    try screen.markShownAsRead()
    #expect(list.unreadCount(1) == 0 && list.badge.value == 1)
    try screen.showFirstUnread()
    #expect(screen.isAtEnd)
  }

  @Test func `The end of a conversation follows new messages, and another place stays`() throws {
    let screen = try screen()
    try chat.send("a", by: fixture.bob, to: 1, at: morning + 7200)
    #expect(screen.messages.fetchedObjects.map(\.id) == [22, 23, 24, 26])
    try screen.showFirstUnread(before: 1, after: 1)
    let events = Recorder(screen.messages.didChange)
    try chat.send("b", by: fixture.bob, to: 1, at: morning + 7200)
    #expect(events.values.isEmpty && screen.countBelow == 4)
    #expect(screen.messages.fetchedObjects.map(\.id) == [20, 21, 22])
  }

  @Test func `A message moves up to its day in the zone of the calendar`() throws {
    var calendar = gregorian
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 14 * 3600))
    let screen = try ConversationScreen(1, of: chat, calendar: calendar, showing: 2)
    // 09:23 UTC is 23:23 there, and 11:00 UTC is in the next day.
    try chat.send("late", by: fixture.bob, to: 1, at: morning + 7200)
    #expect(screen.lines.filter { $0.hasPrefix("2026") } == ["2026-06-27", "2026-06-28"])
  }

  @Test func `A paused conversation says how many messages wait`() throws {
    let screen = try screen()
    screen.messages.pause()
    for text in ["a", "b", "c", "d", "e"] {
      try chat.send(text, by: fixture.bob, to: 1, at: morning + 7200)
    }
    #expect(screen.waitingCount == 5)
    #expect(screen.messages.fetchedObjects.map(\.id) == [21, 22, 23, 24])
    screen.messages.resume()
    #expect(screen.waitingCount == 0)
    #expect(screen.messages.fetchedObjects.map(\.text) == ["b", "c", "d", "e"])
  }

  @Test func `Only the author edits and deletes a message`() throws {
    #expect(throws: ChatError.self) { try chat.edit(24, "x") }
    #expect(throws: ChatError.self) { try chat.delete(24) }
    let screen = try screen()
    try chat.edit(23, "as I meant it")
    #expect(screen.lines.contains("  23   Ann: as I meant it (edited)"))
  }

  @Test func `The message before a deleted one is the latest then`() throws {
    let list = try ConversationsScreen(chat)
    let bob = try Chat(fixture.store, as: "Bob")
    try bob.delete(24)
    #expect(list.lines == ["2 Work (1) Bob: report", "1 Hiking (2) Ann: message 23"])
    try bob.delete(25)
    #expect(list.lines.contains("2 Work (0) no messages"))
    try bob.delete(25)
  }

  @Test func `A person has one reaction to a message`() throws {
    let screen = try screen()
    try chat.react("👍", to: 24)
    try Chat(fixture.store, as: "Bob").react("🎉", to: 24)
    try chat.react("❤️", to: 24)
    #expect(screen.lines.last == "  24 • Bob: message 24 ❤️ 🎉")
  }

  @Test func `A search finds the newest messages of all conversations, and follows them`() throws {
    let search = try MessageSearch("rep", in: fixture.store)
    #expect(search.lines == ["25 Work, Bob: *report*"])
    let events = Recorder(search.messages.didChange)
    try chat.send("Which report?", by: chat.user, to: 1, at: morning + 7200)
    #expect(search.lines == ["26 Hiking, Ann: Which *report*?", "25 Work, Bob: *report*"])
    try chat.edit(26, "Which one?")
    #expect(events.values.map { "\($0.changes)" } == ["insert 0.0", "delete 0.0"])
    try search.search("message 2")
    #expect(search.messages.fetchedObjects.map(\.id) == [24, 23, 22, 21, 20, 2])
  }

  @Test func `Words whose messages can't be read aren't taken`() async throws {
    let search = try MessageSearch("rep", in: fixture.store)
    let lines = search.lines
    await fixture.store.close()
    #expect(throws: StoreError.self) { try search.search("message") }
    #expect(lines == ["25 Work, Bob: *report*"] && search.lines == lines)
  }

  @Test func `A person has one name in all programs`() throws {
    #expect(try Chat(fixture.store, as: "Ann").user == chat.user)
    #expect(try Chat(fixture.store, as: "Dan").user != chat.user)
    #expect(try fixture.store.count(Query<Person>()) == 4)
  }
}
