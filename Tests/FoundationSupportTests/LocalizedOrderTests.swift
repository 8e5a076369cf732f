@_spi(Storage) import EntityStore
import Fixtures
import Foundation
import Locking
import TestSupport
import Testing

@testable import FoundationSupport

@Suite struct `Text is sorted in a locale's order` {
  private func sorted(_ texts: String, _ comparator: ValueComparator<String>) throws -> String {
    let texts = texts.split(separator: " ").enumerated().map { Item(id: $0, name: String($1)) }
    let query = Query<Item>().sorted { [$0.name.ascending(by: comparator)] }
    let found = try TestStorage.allCases.map {
      try $0.makeStore(of: texts.shuffled()).fetch(query).map(\.name).joined(separator: " ")
    }
    #expect(found[0] == found[1])
    return found[0]
  }

  @Test func `as its dictionaries have it`() throws {
    let (german, swedish) = (Locale(identifier: "de_DE"), Locale(identifier: "sv_SE"))
    #expect(try sorted("z ä a Z o ö b A", .localized(german)) == "a A ä b o ö z Z")
    #expect(try sorted("z ä a Z o ö b A å", .localized(swedish)) == "a A b o z Z å ä ö")
    #expect(try sorted("côte cote coté côté", .localized(german)) == "cote coté côte côté")
    #expect(try sorted("i9 i10 i1", .localized(german)) == "i1 i10 i9")
  }

  @Test func `with numbers by their value, as a list of files has them`() throws {
    let german = Locale(identifier: "de_DE")
    #expect(
      try sorted("file10 File9 file9 file1 file010 Äpfel Zoo apfel", .localizedStandard(german))
        == "apfel Äpfel file1 file9 File9 file010 file10 Zoo")
    #expect(
      try sorted(
        "a99999999999999999999999 a100000000000000000000000 a9b a9a 7 10 b ",
        .localizedStandard(german))
        == "7 10 a9a a9b a99999999999999999999999 a100000000000000000000000 b")
    #expect(
      try sorted("z1 ä2 a3 å10 å9", .localizedStandard(Locale(identifier: "sv_SE")))
        == "a3 z1 å9 å10 ä2")
    #expect(try sorted("x٣ x2 x10 x４", .localizedStandard(german)) == "x2 x٣ x４ x10")
  }

  @Test func `with numbers by their value also after letters that share their capitals`() throws {
    for identifier in ["de_DE", "tr_TR"] {
      let order = ValueComparator<String>.localizedStandard(Locale(identifier: identifier))
      #expect(
        try sorted("Straße20 STRASSE10 Straße2 STRASSE1 STRAẞE3", order)
          == "STRASSE1 Straße2 STRAẞE3 STRASSE10 Straße20")
      #expect(try sorted("οδος20 ΟΔΟΣ10 οδος2 ΟΔΟΣ1", order) == "ΟΔΟΣ1 οδος2 ΟΔΟΣ10 οδος20")
    }
    // "ı" is a letter of its own, though its capital is that of "i".
    let german = ValueComparator<String>.localizedStandard(Locale(identifier: "de_DE"))
    #expect(try sorted("Yıl2 Yil10", german) == "Yil10 Yıl2")
  }

  @Test func `Each is made once, so that queries with it are equal`() throws {
    func query(_ comparator: ValueComparator<String>) -> QueryDescription {
      Query<Item>().sorted { [$0.name.ascending(by: comparator)] }.description
    }
    #expect(query(.localized()) == query(.localized(.current)))
    #expect(query(.localized(.autoupdatingCurrent)) == query(.localized()))
    #expect(query(.localizedStandard) == query(.localizedStandard(.current)))
    #expect(query(.localizedStandard) != query(.localized()))
    #expect(
      query(.localized(Locale(identifier: "de_DE")))
        != query(.localized(Locale(identifier: "sv_SE"))))
  }

  @Test func `Threads that ask at once get one comparator`() {
    let locale = Locale(identifier: "fr_FR")
    let found = Locked<Set<QueryDescription>>([])
    let threads = (0..<4).map { _ in
      TestThread {
        let comparator = ValueComparator<String>.localized(locale)
        let query = Query<Item>().sorted { [$0.name.ascending(by: comparator)] }
        found.withLock { _ = $0.insert(query.description) }
      }
    }
    for thread in threads { thread.join() }
    #expect(found.withLock { $0.count } == 1)
  }

  // MARK: A law

  /// Letters, marks, digits and signs on which Foundation's own comparison is no order.
  private static let parts = [
    "a", "A", "b", "B", "é", "e\u{301}", "e", "\u{301}", "\u{327}", "z", "Z", "1", "9", "0", "10",
    "-", " ", "_", "'", "\u{FF21}", "ａ", "\u{1F600}", "\u{FFFD}", "ß", "ss", "ä", "ö", "ø", "\0",
    "\u{212A}", "K", "ﬀ", "f", "\u{AC00}", "\u{11A8}", "あ", "ア", "漢", "\n", "\r\n", "\u{661}",
    "\u{5D0}", "\u{E000}", "\u{10FFFF}", "³", "½", "Ⅳ", "\u{FEFF}", "\u{200B}", "\u{AD}",
    "\u{200D}", "\u{FE0F}", "\u{1}", "\u{7F}", "\u{E0001}", "\u{378}", "\t", "\u{A0}", "\u{34F}",
    "\u{E40}", "\u{E01}", "ǅ", "ς", "σ", "İ", "ı", "i", "I", "\u{307}", "ch", "ll", "ñ", "å", "Å",
    "Æ", "æ", "\u{664}", "\u{FF11}",
  ]

  @Test(arguments: [
    "", "en_US", "de_DE", "sv_SE", "ja_JP", "tr_TR", "es_ES_traditional", "th_TH", "zh_CN",
    "en_US_POSIX",
  ])
  func `It is a strict weak order on hostile text, in every locale`(_ identifier: String) {
    var generator = SeededGenerator(number: 1)
    let order = LocalizedOrder(Locale(identifier: identifier))
    let texts =
      Self.parts + ["", "aö"]
      + (0..<60).map { _ in
        (0..<Int.random(in: 1...4, using: &generator)).map { _ in
          Self.parts.randomElement(using: &generator) ?? ""
        }.joined()
      }
    expectOrder(texts, order.compare)
    expectOrder(texts, order.compareNaturally)
  }

  private func expectOrder(_ texts: [String], _ compare: (String, String) -> Int) {
    let table = texts.map { a in texts.map { compare(a, $0) } }
    var faults = 0
    for a in texts.indices {
      for b in texts.indices {
        if table[a][b] != -table[b][a] { faults += 1 }
        guard table[a][b] <= 0 else { continue }
        for c in texts.indices where table[b][c] <= 0 {
          let expected = table[a][b] == 0 && table[b][c] == 0 ? 0 : -1
          if table[a][c] != expected { faults += 1 }
        }
      }
    }
    #expect(faults == 0)
  }
}
