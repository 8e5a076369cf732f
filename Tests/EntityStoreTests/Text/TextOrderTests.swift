import TestSupport
import Testing

@testable import EntityStore

/// An order of texts, and a slow key by whose bytes they are in that order.
private struct TextOrder: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let compare: @Sendable (String, String) -> Int
  let key: @Sendable (String) -> [UInt8]

  static let all = [
    TextOrder(
      testDescription: "without case",
      compare: { NaturalOrder.compare($0, $1, byNumber: false) }
    ) { bytes(fold($0)) },
    TextOrder(testDescription: "natural", compare: { NaturalOrder.compare($0, $1) }) { text in
      // Numbers as wide as the widest go by their value as text does.
      var key: [UInt8] = []
      var digits: [UInt8] = []
      for byte in bytes(fold(text)) + [0] {
        if (0x30...0x39).contains(byte) {
          digits.append(byte)
        } else {
          if !digits.isEmpty { key += Array(repeating: 0x30, count: 50 - digits.count) + digits }
          digits = []
          key.append(byte)
        }
      }
      return Array(key.dropLast())
    },
  ]

  private static func fold(_ text: String) -> String {
    text.lowercased().uppercased().lowercased()
  }

  /// The texts in order, by key and then by their own bytes, each once.
  func sorted(_ texts: [String]) -> [String] {
    var unique: [[UInt8]: String] = [:]
    for text in texts { unique[bytes(text)] = text }
    return unique.map { (key: key($1), bytes: $0, text: $1) }.sorted { a, b in
      a.key != b.key
        ? a.key.lexicographicallyPrecedes(b.key) : a.bytes.lexicographicallyPrecedes(b.bytes)
    }.map(\.text)
  }
}

@Suite(.oneThread) struct `The order of texts` {
  /// Expects that texts compare as their positions do, each pair both ways.
  ///
  /// If they do, the order is strict, total and transitive among them, since that of positions is.
  private func expectOrder(_ texts: [String], _ order: TextOrder) {
    withEvery("a", in: texts.indices) { i in
      let a = texts[i]
      for j in texts.indices {
        let found = order.compare(a, texts[j]).signum()
        guard found != (i - j).signum() else { continue }
        recordIssue("It is \(found) for \(a.debugDescription), \(texts[j].debugDescription).")
      }
    }
  }

  @Test(arguments: TextOrder.all)
  fileprivate func `is strict and total on all short texts`(_ order: TextOrder) {
    let letters = ["a", "A", "0", "1", "9", "ß", "S", " "]
    var domains = [(["/", "0", "9", ":", "É", "é", "\0"], 3)]
    #if DEBUG
    domains += [(letters, 3), (["a", "A", "0", "1", "ß"], 4), (["0", "1", "9", " ", "S"], 4)]
    #else
    domains += [(letters, 4)]
    #endif
    for (letters, length) in domains {
      expectOrder(order.sorted(sequences(of: letters, upTo: length).map { $0.joined() }), order)
    }
  }

  @Test(arguments: TextOrder.all)
  fileprivate func `is transitive without another order's help`(_ order: TextOrder) {
    let letters = ["a", "A", "0", "1", "ß", "s", "é"]
    let texts = sequences(of: letters, upTo: 2).map { $0.joined() }
    let comes = texts.map { a in texts.map { b in order.compare(a, b) } }
    withEvery("a", in: texts.indices) { a in
      for b in texts.indices {
        expectEqual(comes[a][b].signum(), -comes[b][a].signum())
        expectEqual(comes[a][b] == 0, a == b)
        for c in texts.indices where comes[a][b] < 0 && comes[b][c] < 0 {
          expectTrue(comes[a][c] < 0, "\(texts[a]), \(texts[b]), \(texts[c])")
        }
      }
    }
  }

  @Test(arguments: TextOrder.all, 0..<8)
  fileprivate func `is strict and total on random texts`(_ order: TextOrder, _ seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let parts = [
      "a", "A", "z", "Z", "[", "@", "0", "00", "1", "9", "10", "ß", "ss", "SS", "ẞ", "İ", "i",
      "\u{307}", "\u{212A}", "k", "é", "É", "e\u{301}", "ﬃ", "ΐ", "σ", "ς", "Ж", "語", "😀", "𐐀",
      "\0", " ", "-", "_", ".", "/", ":", "abcdefgh", "ABCDEFGH", "12345678", "１",
    ]
    let starts = ["", "", "Image ", "IMAGE ", "a long start of text, 2", "A LONG START OF TEXT, 2"]
    let texts = (0..<300).map { _ in
      let count = Int.random(in: 0...6, using: &generator)
      return (starts.randomElement(using: &generator) ?? "")
        + (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
    }
    expectOrder(order.sorted(texts), order)
  }

  @Test func `without case goes as written here`() {
    expectOrder(
      [
        "", "\0", " ", "01", "1", "10", "2", "[", "_", "A", "a", "AB", "Ab", "aB", "ab", "ASS",
        "Aß", "ass", "aß", "z", "é\0a", "É\0b", "語",
      ], TextOrder.all[0])
  }

  @Test func `that is natural goes as written here`() {
    expectOrder(
      [
        "", " ", "-1", "0", "00", "000", "00a", "0a", "01", "1", "01 ", "1 ", "1.9", "1.10", "1a",
        "2", "10", "010b", "10c", "99999999999999999999", "100000000000000000000", "a", "a01",
        "a1", "A01b", "A1b", "a01b", "a1b", "a1c", "a2", "A10", "a10", "b", "Image 9.png",
        "image 10.png", "straße 2", "STRASSE 10", "é1",
      ], TextOrder.all[1])
  }
}

@Suite struct `The shared start of two texts` {
  @Test func `is their equal ASCII, case aside`() {
    func lowercase(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
    let start = bytes("Start+of")
    withEvery("place", in: [0, 1, 7, 8, 12]) { place in
      withEvery("x", in: UInt8.min...UInt8.max) { x in
        for y in UInt8.min...UInt8.max {
          let a = (start + start)[0..<place] + [x] + start
          let b = (start + start)[0..<place] + [y] + start
          let isSame = x < 0x80 && y < 0x80 && lowercase(x) == lowercase(y)
          let count = a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in SharedStart.count(a, b) }
          }
          expectEqual(count, isSame ? a.count : place, "y: \(y)")
        }
      }
    }
  }
}
