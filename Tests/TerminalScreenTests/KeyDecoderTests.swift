import Testing

@testable import TerminalScreen

@Suite struct KeyDecoderTests {
  private func keys(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return decoder.decode(Array(text.utf8)) + decoder.flush()
  }

  @Test(arguments: [
    ("\u{1B}[A", Key.up), ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left),
    ("\u{1B}OA", .up), ("\u{1B}OB", .down), ("\u{1B}[1;5A", .up), ("\u{1B}[H", .home),
    ("\u{1B}[F", .end), ("\u{1B}OH", .home), ("\u{1B}OF", .end), ("\u{1B}[1~", .home),
    ("\u{1B}[4~", .end), ("\u{1B}[7~", .home), ("\u{1B}[8~", .end), ("\u{1B}[5~", .pageUp),
    ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete), ("\u{1B}[Z", .backTab), ("\u{1B}", .escape),
    ("\r", .enter), ("\n", .enter), ("\u{1B}OM", .enter), ("\t", .tab), ("\u{7F}", .backspace),
    ("\u{8}", .backspace), ("\u{1}", .control("a")), ("\u{12}", .control("r")),
    ("j", .character("j")),
    (" ", .character(" ")), ("é", .character("é")), ("日", .character("日")), ("🚗", .character("🚗")),
  ])
  func `Bytes are the key that a person pressed`(text: String, key: Key) {
    #expect(keys(text) == [key])
  }

  @Test func `Bytes may come one by one, and keys one after the other`() {
    let text = "j\u{1B}[A日\u{1B}[6~q\u{1B}OBé"
    let expected: [Key] = [
      .character("j"), .up, .character("日"), .pageDown, .character("q"), .down, .character("é"),
    ]
    #expect(keys(text) == expected)
    var decoder = KeyDecoder()
    #expect(text.utf8.flatMap { decoder.decode([$0]) } == expected)
    #expect(!decoder.isWaiting)
  }

  @Test func `Escape alone is a key once nothing follows, or something else does`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == [.escape])
    #expect(!decoder.isWaiting)
    #expect(keys("\u{1B}\u{1B}") == [.escape, .escape])
    #expect(keys("\u{1B}x") == [.escape, .character("x")])
    #expect(keys("\u{1B}\u{1B}[A") == [.escape, .up])
  }

  @Test(arguments: [
    "\u{1B}[99~", "\u{1B}[?1;2c", "\u{1B}[200~", "\u{1B}[", "\u{1B}[12", "\u{0}", "\u{1C}",
    "\u{85}", "\u{1B}[[A", "\u{1B}[[E",
    "\u{1B}[<0;3;4Z".replacing("Z", with: "m"),
  ])
  func `An unknown key is nothing`(text: String) {
    #expect(keys(text) == [])
  }

  @Test func `After bytes that mean nothing the next key is itself`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0xFF, 0x80, 0xE6, 0x97, 0x6A]) == [.character("j")])
    #expect(decoder.decode([0xED, 0xA0, 0x80, 0x6B]) == [.character("k")])
    #expect(decoder.decode([0x1B, 0x5B, 0x31, 0x0D]) == [.enter])
    let endless = [0x1B, 0x5B] + [UInt8](repeating: 0x31, count: 100) + [0x6A]
    #expect(decoder.decode(endless).last == .character("j"))
  }
}
