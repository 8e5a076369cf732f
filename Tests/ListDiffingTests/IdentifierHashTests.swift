import TestSupport
import Testing

@testable import ListDiffing

/// Identifiers of other types, compared with numbers that are equal where they are.
@Suite(.large) struct `Hashing identifiers` {
  /// Sixteen bytes, as a UUID has.
  private struct Bytes: BitwiseIdentifier {
    var first: UInt64
    var second: UInt64
  }

  /// Three bytes, fewer than a word.
  private struct FewBytes: BitwiseIdentifier {
    var first: UInt8 = 7
    var second: UInt8
    var third: UInt8
  }

  private func changes<Identifier: Hashable>(_ old: [Identifier], _ new: [Identifier])
    -> ListChanges
  {
    ListChanges(from: old, to: new, identifiedBy: { $0 }, isContentEqual: { _, _ in true })
  }

  /// Checks that lists of identifiers have the changes that lists of their classes have.
  private func check<Identifier: Hashable>(
    _ old: [Int], _ new: [Int], _ make: (Int) -> Identifier, class: (Int) -> Int = { $0 }
  ) {
    expectEqual(
      changes(old.map(make), new.map(make)), changes(old.map(`class`), new.map(`class`)),
      "\(Identifier.self)")
  }

  @Test func `D4 Text that is equal in Unicode is one identifier, however it is written`() {
    // K and Kelvin sign, semicolon and Greek question mark, an accent in one scalar and in two.
    let texts = ["K", "\u{212A}", ";", "\u{37E}", "\u{E9}", "e\u{301}"]
    let lists = sequences(of: Array(texts.indices), upTo: 3)
    for tail in ["", " and so on, beyond what fits into a small string"] {
      withEvery("old", in: lists) { old in
        withEvery("new", in: lists) { new in
          check(old, new, { texts[$0] + tail }, class: { $0 / 2 })
        }
      }
    }
  }

  @Test func `D4 Long lists have the same changes, whatever identifies their rows`() {
    withEvery("seed", in: seeds(400)) { seed in
      var generator = SeededGenerator(seed: seed)
      let size = Int.random(in: 0...120, using: &generator)
      let ids = generator.chance(0.5) ? 200 : 20
      func list() -> [Int] { (0..<size).map { _ in Int.random(in: 0..<ids, using: &generator) } }
      let old = generator.chance(0.5) ? Array(0..<size) : list()
      var new = old
      for _ in 0..<Int.random(in: 0...20, using: &generator) where !new.isEmpty {
        let row = new.remove(at: Int.random(in: new.indices, using: &generator))
        if generator.chance(0.3) { continue }
        new.insert(
          generator.chance(0.5) ? row : ids, at: Int.random(in: 0...new.count, using: &generator))
      }
      if generator.chance(0.2) { new.shuffle(using: &generator) }
      check(old, new, { "\($0)" })
      check(old, new, { "identifier \($0) of many" })
      check(
        old, new, { $0 == 5 ? "\u{212A}" : $0 == 6 ? "K" : "\($0)" }, class: { $0 == 6 ? 5 : $0 })
      check(old, new, { Bytes(first: UInt64($0 % 3), second: UInt64($0)) })
      check(old, new, { FewBytes(second: UInt8($0 % 200), third: 1) }, class: { $0 % 200 })
      check(old, new, { UInt16($0) })
      check(old, new, { Int64($0) << 40 })
      check(old, new, { [$0] })
      check(old, new, { Double($0) })
    }
  }

  /// An identifier that counts how often it is compared.
  private struct Counted: BitwiseIdentifier {
    nonisolated(unsafe) static var comparisons = 0
    var number: UInt64

    static func == (left: Self, right: Self) -> Bool {
      comparisons += 1
      return left.number == right.number
    }
  }

  @Test func `D4 Regular identifiers don't crowd together`() {
    // Multiples of powers of two, and what a multiplication without a seed maps to neighbours.
    let inverse: UInt64 = 0xF1DE_83E1_9937_733D
    let patterns: [(UInt64) -> UInt64] = [
      { $0 }, { $0 << 16 }, { $0 << 32 }, { $0 << 48 }, { $0 &* inverse },
      { ($0 << 32) &* inverse },
      { $0 << 20 | $0 }, { ~$0 },
    ]
    for (index, pattern) in patterns.enumerated() {
      var generator = SeededGenerator(seed: index)
      let old = (0..<20_000).map { Counted(number: pattern($0)) }
      let new = old.shuffled(using: &generator)
      Counted.comparisons = 0
      _ = changes(old, new)
      // A walk of 16 misses, and one comparison for each row that is found.
      expectTrue(Counted.comparisons < 65_000, "\(index): \(Counted.comparisons)")
    }
  }
}

@Suite struct `Hash values of a type's own` {
  /// Its hash value is a number as it is, like that of Apple's `NSObject`.
  private struct Numbered: Hashable {
    let number: Int
    var hashValue: Int { number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test func `D4 Identifiers whose hash values are small numbers don't share a slot`() {
    var hash = _UnsafeIdentifierHash<Numbered>(seed: 1, isTextByBytes: true)
    let slots = Set((0..<1000).map { hash(Numbered(number: $0)) >> 54 })
    #expect(slots.count > 300)
  }
}
