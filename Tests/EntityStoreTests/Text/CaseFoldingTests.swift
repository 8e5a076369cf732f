import TestSupport
import Testing

@testable import EntityStore

@Suite(.oneThread) struct `Case folding` {
  private let folding = TextFolding.case

  @Test(
    arguments: [
      ("STRASSE", "straße"), ("STRASSE", "STRAẞE"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("\u{212A}", "k"),
      ("\u{212B}", "å"), ("\u{2126}", "ω"), ("ſ", "S"), ("ı", "I"), ("ﬃ", "FFI"), ("ŉ", "ʼN"),
      ("Ǆ", "ǆ"), ("ǅ", "ǆ"), ("Ꭰ", "ꭰ"), ("Ა", "ა"), ("ᾳ", "ΑΙ"), ("ᾼ", "ΑΙ"), ("\u{345}", "Ι"),
      ("µ", "Μ"), ("ϐ", "Β"), ("𐐀", "𐐨"), ("İ", "i\u{307}"), ("Ж", "ж"), ("ԵՒ", "և"),
    ])
  func `takes these as one`(_ a: String, _ b: String) {
    #expect(folding.fold(a) == folding.fold(b))
  }

  @Test(
    arguments: [
      ("İ", "i"), ("ǆ", "dž"), ("é", "e\u{301}"), ("é", "e"), ("１", "1"), ("Ａ", "A"), ("ø", "o"),
      ("[", "{"), ("@", "`"), ("Z", "["), ("\u{C0}", "\u{E1}"),
    ])
  func `keeps these apart`(_ a: String, _ b: String) {
    #expect(folding.fold(a) != folding.fold(b))
  }

  @Test func `is the lowercase of the uppercase of the lowercase of every scalar`() {
    withEveryScalar { scalar in
      let expected = String(scalar).lowercased().uppercased().lowercased()
      expectEqual(folding.fold(String(scalar)), bytes(expected), scalar.label)
    }
  }

  @Test func `is the lowercase of the uppercase of every scalar but one`() {
    var others: [Unicode.Scalar] = []
    withEveryLetter { scalar in
      let expected = String(scalar).uppercased().lowercased()
      if folding.fold(String(scalar)) != bytes(expected) { others.append(scalar) }
    }
    #expect(others == ["ẞ"])
  }

  @Test func `is one for all cases of every scalar`() {
    withEveryLetter { scalar in
      let expected = folding.fold(String(scalar))
      let properties = scalar.properties
      expectEqual(folding.fold(properties.lowercaseMapping), expected, scalar.label)
      expectEqual(folding.fold(properties.uppercaseMapping), expected, scalar.label)
      expectEqual(folding.fold(properties.titlecaseMapping), expected, scalar.label)
    }
  }

  @Test func `of a scalar is no more than three, and no digit that it wasn't`() {
    withEveryScalar { scalar in
      let folded = Array(TextFolding.foldCase(of: scalar))
      expectTrue((1...3).contains(folded.count), scalar.label)
      let digits: ClosedRange<Unicode.Scalar> = "0"..."9"
      if folded.contains(where: digits.contains) { expectEqual(folded, [scalar]) }
    }
  }

  @Test func `goes scalar by scalar`() {
    let parts = ["", "A", "ß", "İ", "\u{301}", "Σ", "ς ", "가", "\u{1100}", "\u{1161}", "\0", "😀"]
    withEvery("parts", in: sequences(of: parts, upTo: 3)) { parts in
      expectEqual(folding.fold(parts.joined()), parts.flatMap(folding.fold))
    }
  }

  @Test func `reads the same scalars one by one`() {
    withEveryLetter { scalar in
      let folded = folding.fold("x" + String(scalar))
      let numbers = String(decoding: folded, as: UTF8.self).unicodeScalars.map { Int($0.value) }
      var found: [Int] = []
      bytes("X" + String(scalar)).withUnsafeBufferPointer { bytes in
        var scalars = CaseFoldedScalars(bytes)
        for _ in 0...numbers.count { found.append(scalars.next()) }
      }
      expectEqual(found, numbers + [-1], scalar.label)
    }
  }

  @Test func `reads digits, and nothing else, as digits`() {
    bytes("ß10K").withUnsafeBufferPointer { bytes in
      var scalars = CaseFoldedScalars(bytes)
      let s = Int(UInt8(ascii: "s"))
      #expect(scalars.nextDigit() == -1)
      #expect(scalars.next() == s)
      #expect(scalars.nextDigit() == -1)
      #expect(scalars.next() == s)
      #expect(scalars.nextDigit() == Int(UInt8(ascii: "1")))
      #expect(scalars.nextDigit() == Int(UInt8(ascii: "0")))
      #expect(scalars.nextDigit() == -1)
      #expect(scalars.next() == Int(UInt8(ascii: "k")))
      #expect(scalars.nextDigit() == -1)
      #expect(scalars.next() == -1)
      #expect(scalars.next() == -1)
    }
    withEvery("byte", in: UInt8(0)..<0x80) { byte in
      [byte].withUnsafeBufferPointer { bytes in
        var scalars = CaseFoldedScalars(bytes)
        expectEqual(scalars.nextDigit(), (0x30...0x39).contains(byte) ? Int(byte) : -1)
      }
    }
  }

  @Test func `reads nothing but UTF-8`() async {
    await #expect(processExitsWith: .failure) {
      [0xC3 as UInt8].withUnsafeBufferPointer { bytes in
        var scalars = CaseFoldedScalars(bytes)
        _ = scalars.next()
      }
    }
  }
}
