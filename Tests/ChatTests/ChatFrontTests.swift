import Signalbox
import TestSupport
import Testing

@testable import Chat

@MainActor struct ChatFrontTests {
  @Test func `A conversation is read from its end or from its first unread message`() throws {
    let script = try ChatScript()
    #expect(
      script.begin() == """
        2 Work (1) Bob: report
        1 Hiking (3) Bob: message 24
        unread: 4
        "help" lists the commands.
        """)
    #expect(
      script.take("open 1") == """
        Hiking
        20 above
        2026-06-27
          21 • Bob: message 21
          22 • Cleo: message 22
          23   Ann: message 23
          24 • Bob: message 24
        unread: 4
        """)
    #expect(
      script.take("unread", "as Cleo Who comes along?", "say I do.") == """
        19 above
        2026-06-27
          20   Ann: message 20
          21 • Bob: message 21
          22 • Cleo: message 22
          23   Ann: message 23
          24 • Bob: message 24
        unread: 4
        unread: 5
        below: 1
        below: 2
        """)
    #expect(
      script.take("end", "read") == """
        22 above
        2026-06-27
          23   Ann: message 23
          24 • Bob: message 24
        2026-06-28
          26 • Cleo: Who comes along?
          27   Ann: I do.
        unread: 5
        ~ 24   Bob: message 24
        ~ 26   Cleo: Who comes along?
        unread: 1
        """)
  }

  @Test func `What is said, edited, signed and deleted is printed once`() throws {
    let script = try ChatScript()
    _ = script.take("open 2")
    #expect(
      script.take("say Soon.", "edit 26 Tomorrow.", "react 26 👍", "delete 26") == """
        + 26   Ann: Soon.
        ~ 26   Ann: Tomorrow. (edited)
        ~ 26   Ann: Tomorrow. (edited) 👍
        - 26   Ann: Tomorrow. (edited) 👍
        """)
    #expect(script.take("new Music", "say La") == "Music\nunread: 4\n+ 27   Ann: La")
    #expect(
      script.take("list") == """
        3 Music (0) Ann: La
        2 Work (1) Bob: report
        1 Hiking (3) Bob: message 24
        unread: 4
        """)
  }

  @Test func `A message that only leaves the window isn't said to be deleted`() throws {
    let script = try ChatScript()
    _ = script.take("open 1")
    #expect(script.take("say x") == "+ 26   Ann: x")
    #expect(
      script.take("delete 26", "delete 23") == """
        - 26   Ann: x
        + 21 • Bob: message 21
        - 23   Ann: message 23
        + 20   Ann: message 20
        """)
  }

  @Test func `Other conversations have a line, with their new number`() throws {
    let script = try ChatScript()
    _ = script.take("open 2", "as Cleo Soon?", "open 1")
    try script.fixture.chat.send("ping", by: script.fixture.bob, to: 2, at: morning)
    #expect(script.take("help").hasSuffix("~ 2 Work (3) Bob: ping\nunread: 6"))
    #expect(script.take("help").hasSuffix("> moved."))
  }

  @Test func `A paused conversation prints what waits, and then all at once`() throws {
    let script = try ChatScript()
    _ = script.take("open 1", "pause")
    #expect(
      script.take("as Bob a", "as Cleo b", "resume") == """
        unread: 5
        waiting: 1
        unread: 6
        waiting: 2
        + 26 • Bob: a
        + 27 • Cleo: b
        """)
    #expect(
      script.take("unread", "pause").hasSuffix(
        "These messages already stand still; \"end\" goes to the end"))
  }

  @Test func `A search stays live until it ends`() throws {
    let script = try ChatScript()
    _ = script.take("open 1")
    #expect(
      script.take("find rep", "say the report", "find quark", "say reporter", "find") == """
        25 Work, Bob: *report*
        + 26   Ann: the report
        found + 26 Hiking, Ann: the *report*
        Nothing is found yet.
        + 27   Ann: reporter
        The search has ended.
        """)
  }

  @Test func `A message that only leaves the found ones isn't said to be lost`() throws {
    let script = try ChatScript()
    _ = script.take("open 1", "find mess")
    #expect(
      script.take("say my message") == """
        + 26   Ann: my message
        found + 26 Hiking, Ann: my *message*
        """)
    #expect(script.take("delete 26").hasSuffix("found + 5 Hiking, Ann: *message* 5"))
  }

  @Test(arguments: [
    ("hello", "\"hello\" is no command; \"say\" sends a message, and \"help\" lists the others"),
    (
      "open",
      "\"open\" lacks something; write the number of a conversation there, or look at \"help\""
    ),
    ("open 9", "There is no conversation 9; \"list\" shows the conversations"),
    ("edit 24 x", "Somebody else wrote message 24; \"react\" puts a sign under it"),
    ("delete 24", "Somebody else wrote message 24; \"react\" puts a sign under it"),
    ("edit 99 x", "There is no message 99; write another number"),
    ("react 99 👍", "There is no message 99; write another number"),
    ("as Dan x", "No conversation is open; \"open 1\" opens the first"),
    ("say x", "No conversation is open; \"open 1\" opens the first"),
    ("read", "No conversation is open; \"open 1\" opens the first"),
    ("as", "Write a name after \"as\""), ("", ""), ("quit", "ended"),
  ])
  func `A line that can't be carried out gets one sentence and changes nothing`(
    line: String, answer: String
  ) throws {
    let script = try ChatScript()
    _ = script.take("list")
    let version = try script.fixture.store.version
    #expect(script.take(line) == answer)
    #expect(try script.fixture.store.version == version)
  }

  @Test func `Control characters stay in their line`() throws {
    let script = try ChatScript()
    _ = script.take("open 2")
    #expect(script.take("say a\u{1B}[2J\u{202E}b") == #"+ 26   Ann: a\u{1B}[2J\u{202E}b"#)
  }

  @Test func `Two programs on one file follow each other`() async throws {
    let path = temporaryPath("chat")
    let ann = try ChatScript(.sqlite(path: path, watching: .none))
    let bob = try ChatScript(.sqlite(path: path, watching: .none), as: "Bob")
    _ = ann.take("open 1", "find la")
    _ = bob.take("open 1")
    #expect(bob.take("say To the lake?") == "+ 26   Bob: To the lake?")
    #expect(
      try await ann.follow() == """
        + 26 • Bob: To the lake?
        found + 26 Hiking, Bob: To the *lake*?
        unread: 5
        """)
    #expect(ann.take("react 26 👍", "say Later.").hasPrefix("~ 26 • Bob: To the lake? 👍\n"))
    #expect(
      try await bob.follow() == """
        ~ 26   Bob: To the lake? 👍
        + 27 • Ann: Later.
        unread: 17
        """)
    #expect(bob.take("edit 26 To the sea?") == "~ 26   Bob: To the sea? (edited) 👍")
    #expect(
      try await ann.follow() == """
        ~ 26 • Bob: To the sea? (edited) 👍
        found - 26 Hiking, Bob: To the *lake*?
        """)
  }
}
