import Foundation
import FoundationSupport
import ListDiffing

extension BenchmarkSuite {
  /// Differences of flat lists of identifiers, against one look at them.
  static let listDiffing = BenchmarkSuite {
    Benchmark(
      "ListDiffing/unchanged/100000", unit: .microseconds, aim: 2,
      measured: diffing { unchanged(100_000) },
      baseline: .loop("== of the arrays") {
        let (old, new) = unchanged(100_000)
        return { iterations in
          for _ in 0..<iterations { blackHole(identity(old) == new) }
        }
      })
    for edit in SmallEdit.allCases {
      let lists = { edit.lists(100_000) }
      Benchmark(
        "ListDiffing/\(edit.rawValue)/100000", unit: .microseconds,
        measured: diffing(lists), baseline: hashing(lists))
    }
    for count in [1000, 10_000, 100_000, 1_000_000] {
      let lists = { churned(count, share: 0.01) }
      Benchmark(
        "ListDiffing/one-percent/\(count)", unit: .microseconds, aim: 1.2,
        knownMiss: count < 100_000
          ? KnownMiss(1.5, "rows that the walk has passed are hashed as well, to find copies")
          : nil,
        measured: diffing(lists), baseline: hashing(lists))
      Benchmark(
        "ListDiffing/one-percent-unique/\(count)", unit: .microseconds, aim: 1.2,
        measured: diffing(areIdentifiersUnique: true, lists), baseline: hashing(lists))
    }
    let small = KnownMiss(
      2, "a fifth of the rows changes: moves are ranked, and a thousand rows are in the table")
    for (count, known) in [(5000, small), (100_000, nil)] {
      let lists = { readme(count) }
      Benchmark(
        "ListDiffing/readme/\(count)", unit: .microseconds, aim: 1.2, knownMiss: known,
        measured: diffing(lists), baseline: hashing(lists))
    }
    Benchmark(
      "ListDiffing/readme-uuid/100000", unit: .microseconds, aim: 1.2,
      measured: diffing { mapped(readme(100_000), uuid) },
      baseline: hashing { mapped(readme(100_000), uuid) })
    Benchmark(
      "ListDiffing/readme-string/100000", unit: .microseconds, aim: 1.2,
      measured: diffing { mapped(readme(100_000), text) },
      baseline: hashing { mapped(readme(100_000), text) })
    Benchmark(
      "ListDiffing/readme-cyrillic/100000", unit: .microseconds, aim: 1.5,
      measured: diffing { mapped(readme(100_000), cyrillic) },
      baseline: diffing(named: "ASCII of the same bytes") { mapped(readme(100_000), text) })
    // Hashing once takes 0.6 to 0.8 ms at one time and 1.1 to 1.5 ms at another, also on one machine.
    // The difference takes 6 to 10 ms. These ratios are of the first kind, also before this version.
    let ofHashing = "hashing once takes from 0.6 to 1.5 ms, and the difference varies less"
    for (title, aim, known, lists) in [
      ("readme-scattered", nil as Double?, nil as KnownMiss?, { scattered(100_000) }),
      ("churn-20", 5, KnownMiss(8.3, ofHashing), { churned(100_000, share: 0.2) }),
      ("shuffle", 7, KnownMiss(9.9, ofHashing), { shuffled(100_000) }),
      ("duplicates", nil, nil, { repeated(100_000) }),
    ] {
      Benchmark(
        "ListDiffing/\(title)/100000", unit: .microseconds, aim: aim, knownMiss: known,
        measured: diffing(lists), baseline: hashing(lists))
    }
    Benchmark(
      "ListDiffing/sectioned-mixed/100x1000", size: 100_000, unit: .microseconds,
      measured: .loop {
        let (old, new) = sectioned()
        return { iterations in
          for _ in 0..<iterations { blackHole(SectionedListDiff(from: old, to: new).changes) }
        }
      },
      baseline: hashing {
        let (old, new) = sectioned()
        return (old.flatMap(\.rows), new.flatMap(\.rows))
      })
    againstDifference("unchanged", 100_000) { unchanged($0) }
    againstDifference("append-one", 100_000) { SmallEdit.appendOne.lists($0) }
    againstDifference("one-percent", 1000) { churned($0, share: 0.01) }
    againstDifference("one-percent", 10_000) { churned($0, share: 0.01) }
    againstDifference("readme", 5000) { readme($0) }
  }
}

/// Beside the standard library's difference, where that ends in time; it tells no updates.
private func againstDifference(
  _ title: String, _ count: Int, _ lists: @escaping (Int) -> Lists<Int>
) -> Benchmark {
  Benchmark(
    "ListDiffing/\(title) against difference/\(count)", unit: .microseconds,
    measured: diffing { lists(count) },
    baseline: .loop("Array.difference") {
      let (old, new) = lists(count)
      return { iterations in
        for _ in 0..<iterations { blackHole(new.difference(from: old).inferringMoves()) }
      }
    })
}

private func diffing<Element: Diffable>(
  named name: String = "Signalbox", areIdentifiersUnique: Bool = false,
  _ lists: @escaping () -> (old: [Element], new: [Element])
) -> Side {
  .loop(name) {
    let (old, new) = lists()
    return { iterations in
      for _ in 0..<iterations {
        blackHole(
          ListDiff(from: old, to: new, areIdentifiersUnique: areIdentifiersUnique).changes)
      }
    }
  }
}

/// Each identifier of both lists hashed once into a table that has room for it.
private func hashing<Element: Diffable>(
  _ lists: @escaping () -> (old: [Element], new: [Element])
) -> Side {
  .loop("hashing once") {
    let (old, new) = lists()
    return { iterations in
      for _ in 0..<iterations { blackHole(tableOfHashes(old, new)) }
    }
  }
}

@inline(never)
func tableOfHashes<Element: Diffable>(_ old: [Element], _ new: [Element]) -> [UInt64] {
  var size = 4
  while size < 2 * old.count { size *= 2 }
  var table = [UInt64](repeating: 0, count: size)
  for (position, element) in old.enumerated() {
    let hash = plainHash(element.diffIdentifier)
    var slot = Int(truncatingIfNeeded: hash >> 20) & (size - 1)
    while table[slot] != 0 && table[slot] >> 32 != hash & 0xFFFF_FFFF {
      slot = (slot + 1) & (size - 1)
    }
    table[slot] = hash << 32 | UInt64(position + 1)
  }
  var found: UInt64 = 0
  for element in new {
    let hash = plainHash(element.diffIdentifier)
    var slot = Int(truncatingIfNeeded: hash >> 20) & (size - 1)
    while table[slot] != 0 {
      if table[slot] >> 32 == hash & 0xFFFF_FFFF {
        found &+= table[slot] & 0xFFFF_FFFF
        break
      }
      slot = (slot + 1) & (size - 1)
    }
  }
  table[0] ^= found
  return table
}

/// For whole numbers one multiplication, for all else the standard hash.
@inline(__always)
private func plainHash<Identifier: Hashable>(_ identifier: Identifier) -> UInt64 {
  if let number = identifier as? Int {
    let product = UInt64(bitPattern: Int64(number)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
  return UInt64(truncatingIfNeeded: identifier.hashValue)
}
