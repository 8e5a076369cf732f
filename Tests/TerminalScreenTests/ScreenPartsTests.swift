import Testing

@testable import TerminalScreen

@Suite struct ScreenPartsTests {
  @Test(arguments: [
    (true, ["TERM": "xterm"], true, true), (true, ["TERM": "xterm", "NO_COLOR": "1"], true, false),
    (true, ["TERM": "xterm", "NO_COLOR": ""], true, true), (true, ["TERM": "dumb"], false, false),
    (true, [:], false, false), (false, ["TERM": "xterm"], false, false),
  ])
  func `A place is a screen or plain, with colours or without`(
    isTerminal: Bool, environment: [String: String], isScreen: Bool, isColored: Bool
  ) {
    let kind = TerminalKind(isTerminal: isTerminal, environment: environment)
    #expect(kind.isScreen == isScreen)
    #expect(kind.isColored == isColored)
  }

  @Test func `The window follows the line that has to be seen, no further than needed`() {
    var window = ScrollWindow()
    window.show(4, height: 5, of: 20)
    #expect(window.top == 0)
    window.show(5, height: 5, of: 20)
    #expect(window.top == 1)
    window.show(3, height: 5, of: 20)
    #expect(window.top == 1)
    window.show(0, height: 5, of: 20)
    #expect(window.top == 0)
    window.show(19, height: 5, of: 20)
    #expect(window.lines(height: 5, of: 20) == 15..<20)
    window.show(nil, height: 5, of: 7)
    #expect(window.lines(height: 5, of: 7) == 2..<7)
    window.show(nil, height: 5, of: 0)
    #expect(window.lines(height: 5, of: 0) == 0..<0)
    window.show(3, height: 0, of: 7)
    #expect(window.lines(height: 0, of: 7).isEmpty)
  }

  @Test func `A line is typed, and keys that are not for it are left alone`() {
    var input = TextInput("Ann")
    let steps: [(Key, String)] = [
      (.character(" "), "Ann "), (.character("e"), "Ann e"),
      (.character("\u{301}"), "Ann e\u{301}"), (.character("s"), "Ann e\u{301}s"),
      (.backspace, "Ann e\u{301}"), (.control("w"), "Ann "), (.control("u"), ""), (.backspace, ""),
    ]
    for (key, text) in steps {
      let isTaken = input.take(key)
      #expect(isTaken && input.text == text)
    }
    for key in [Key.enter, .up, .escape, .control("c")] {
      let isTaken = input.take(key)
      #expect(!isTaken && input.text == "")
    }
  }
}
