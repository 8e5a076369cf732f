import Signalbox
import TestSupport
import Testing

@testable import Reminders

@MainActor struct RemindersFrontTests {
  private let script: RemindersScript

  init() throws { script = try RemindersScript() }

  @Test func `The first screen has the counts, the lists, the tags and all reminders`() {
    #expect(
      script.begin() == """
        today 2, scheduled 3, flagged 1, all 4
        Home 2
        Work 2
        #errand 2
        #money 1
        Overdue
          2 [ ] Haircut, Home, due 2026-06-28 09:00 #errand
        Open
          1 [ ] Groceries, Home, due 2026-06-29 10:00 #errand
          3 [ ] Tax return, Work, due 2026-06-30 10:00 #money
          4 [ ] Invoice, Work, flagged
        "help" lists the commands.
        """)
  }

  @Test func `What a search hides isn't cleared`() throws {
    _ = script.take("done 1", "done 2", "completed show", "find groceries", "clear")
    let store = script.fixture.store
    #expect(try store.find(Reminder.self, 1) == nil)
    #expect(try store.find(Reminder.self, 2) != nil)
  }

  @Test func `A command prints what its commit has changed`() {
    #expect(
      script.take("show home", "add Feed the cat") == """
        Overdue
          2 [ ] Haircut, Home, due 2026-06-28 09:00 #errand
        Open
          1 [ ] Groceries, Home, due 2026-06-29 10:00 #errand
        + Open: 5 [ ] Feed the cat, Home
        ~ Home 3
        today 2, scheduled 3, flagged 1, all 5
        """)
    #expect(
      script.take("due 5 today", "flag 5", "priority 5 high", "tag 5 #cat", "title 5 Feed Tom")
        == """
        ~ Open: 5 [ ] Feed the cat, Home, due 2026-06-29 18:00
        today 3, scheduled 4, flagged 1, all 5
        ~ Open: 5 [ ] Feed the cat, Home, due 2026-06-29 18:00, flagged
        today 3, scheduled 4, flagged 2, all 5
        ~ Open: 5 [ ] Feed the cat, Home, due 2026-06-29 18:00, high, flagged
        ~ Open: 5 [ ] Feed the cat, Home, due 2026-06-29 18:00, high, flagged #cat
        + #cat 1
        ~ Open: 5 [ ] Feed Tom, Home, due 2026-06-29 18:00, high, flagged #cat
        """)
    #expect(
      script.take("done 5", "completed show", "clear") == """
        - Open: 5 [ ] Feed Tom, Home, due 2026-06-29 18:00, high, flagged #cat
        ~ Home 2
        ~ #cat 0
        today 2, scheduled 3, flagged 1, all 4
        Overdue
          2 [ ] Haircut, Home, due 2026-06-28 09:00 #errand
        Open
          1 [ ] Groceries, Home, due 2026-06-29 10:00 #errand
          5 [x] Feed Tom, Home, due 2026-06-29 18:00, high, flagged #cat
        - Open: 5 [x] Feed Tom, Home, due 2026-06-29 18:00, high, flagged #cat
        - #cat 0
        """)
  }

  @Test func `What time changes is printed without a command`() async {
    #expect(await script.advance(.seconds(3600)) == "")
    #expect(
      await script.advance(.seconds(1)) == """
        > Overdue: 1 [ ] Groceries, Home, due 2026-06-29 10:00 #errand
        """)
    #expect(await script.advance(.seconds(14 * 3600)) == "today 3, scheduled 3, flagged 1, all 4")
    #expect(
      script.take("due 1 +1h", "show overdue") == """
        > Open: 1 [ ] Groceries, Home, due 2026-06-30 01:00 #errand
        Overdue
          2 [ ] Haircut, Home, due 2026-06-28 09:00 #errand
        """)
    #expect(
      await script.advance(.seconds(3601)) == """
        + Overdue: 1 [ ] Groceries, Home, due 2026-06-30 01:00 #errand
        """)
  }

  @Test func `A search finds words in titles, notes and tags`() {
    #expect(
      script.take("find tea") == """
        Open
          1 [ ] Groceries, Home, due 2026-06-29 10:00 #errand
        """)
    #expect(script.take("note 4 with tea") == "+ Open: 4 [ ] Invoice, Work, flagged")
    #expect(
      script.take("find mon", "find quark", "untag 3 money") == """
        Open
          3 [ ] Tax return, Work, due 2026-06-30 10:00 #money
        No reminders here.
        - #money 1
        """)
    #expect(
      script.take("find", "sort title").split(separator: "\n").suffix(4) == [
        "Open", "  1 [ ] Groceries, Home, due 2026-06-29 10:00 #errand",
        "  4 [ ] Invoice, Work, flagged", "  3 [ ] Tax return, Work, due 2026-06-30 10:00",
      ])
  }

  @Test func `Undo and redo name what they did, and print its changes`() {
    #expect(
      script.take("delete 2", "undo", "redo", "undo", "undo") == """
        - Overdue: 2 [ ] Haircut, Home, due 2026-06-28 09:00 #errand
        ~ Home 1
        ~ #errand 1
        today 1, scheduled 2, flagged 1, all 3
        undone: Delete
        + Overdue: 2 [ ] Haircut, Home, due 2026-06-28 09:00 #errand
        ~ Home 2
        ~ #errand 2
        today 2, scheduled 3, flagged 1, all 4
        redone: Delete
        - Overdue: 2 [ ] Haircut, Home, due 2026-06-28 09:00 #errand
        ~ Home 1
        ~ #errand 1
        today 1, scheduled 2, flagged 1, all 3
        undone: Delete
        + Overdue: 2 [ ] Haircut, Home, due 2026-06-28 09:00 #errand
        ~ Home 2
        ~ #errand 2
        today 2, scheduled 3, flagged 1, all 4
        nothing to undo
        """)
  }

  @Test func `What another program commits is printed, also if a command finds it`() throws {
    let path = temporaryPath("reminders")
    let script = try RemindersScript(.sqlite(path: path, watching: .none))
    let other = try RemindersScript(.sqlite(path: path, watching: .none))
    _ = other.take("delete 3", "flag 2")
    #expect(
      script.take("sort title") == """
        Overdue
          2 [ ] Haircut, Home, due 2026-06-28 09:00, flagged #errand
        Open
          1 [ ] Groceries, Home, due 2026-06-29 10:00 #errand
          4 [ ] Invoice, Work, flagged
        ~ Work 1
        - #money 1
        today 2, scheduled 2, flagged 2, all 3
        """)
    #expect(script.take("undo") == "nothing to undo")
  }

  @Test func `An undo that no longer fits says so, and those before it are forgotten`() throws {
    _ = script.take("title 4 Bill")
    try script.fixture.store.commit { try $0.update(Reminder.self, 4) { $0.title = "Account" } }
    let refusal =
      "\"Change title\" can't be undone, since something has changed meanwhile; what was before it is "
      + "forgotten, too"
    #expect(script.take("undo") == "~ Open: 4 [ ] Account, Work, flagged\n" + refusal)
    #expect(script.take("undo") == "nothing to undo")
    _ = script.take("title 4 Bill")
    try script.fixture.store.commit { try $0.delete(Reminder.self, 4) }
    #expect(script.take("undo").hasSuffix(refusal))
  }

  @Test(arguments: [
    ("fly", "\"fly\" is no command; \"help\" lists them"),
    ("done", "\"done\" lacks something; write the number of a reminder there, or look at \"help\""),
    ("done one", "\"one\" is no number; write the number of a reminder after \"done\""),
    ("done 9", "There is no reminder 9; write another number"),
    ("due 9 none", "There is no reminder 9; write another number"),
    ("due 1 soon", "\"soon\" is no date; write \(DueDate.forms)"),
    ("tag 9 x", "There is no reminder 9; write another number"),
    ("tag 1 #", "Write a tag after the number, such as errand"),
    ("tag 1 a b", "Leave out \"b\" after \"tag\""),
    ("priority 1 huge", "Write high, medium, low or none after the number"),
    ("list Home", "reminderlist 1 has the same title; write another one"),
    (
      "show garden",
      "There is no list \"garden\"; write all, today, scheduled, overdue, flagged, a #tag, or one of "
        + "the lists that \"lists\" shows"
    ),
    ("sort size", "Write due, priority or title after \"sort\""),
    ("completed", "Write show or hide after \"completed\""),
    ("redo", "nothing to redo"), ("", ""), ("   ", ""), ("quit", "ended"),
  ])
  func `A line that can't be carried out gets one sentence and changes nothing`(
    line: String, answer: String
  ) throws {
    let version = try script.fixture.store.version
    #expect(script.take(line) == answer)
    #expect(try script.fixture.store.version == version)
  }

  @Test func `Control characters stay in their line`() {
    #expect(
      script.take("title 4 a\u{1B}[2J\u{7}", "\u{1B}[2J") == #"""
        ~ Open: 4 [ ] a\u{1B}[2J\u{7}, Work, flagged
        "\u{1B}[2j" is no command; "help" lists them
        """#)
  }

  @Test func `The help names each command`() {
    let help = script.take("help")
    for name in [
      "lists", "show", "sort", "completed", "find", "add", "list", "due", "title", "note", "tag",
      "untag", "priority", "done", "flag", "delete", "clear", "undo", "redo", "quit",
    ] {
      #expect(help.contains(name), "\(name)")
      #expect(!script.take(name == "quit" ? "help" : name).contains("is no command"))
    }
  }
}
