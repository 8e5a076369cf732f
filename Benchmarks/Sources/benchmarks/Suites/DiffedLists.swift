import Foundation
import FoundationSupport
import ListDiffing

typealias Lists<Element> = (old: [Element], new: [Element])

/// One edit in a long list.
enum SmallEdit: String, CaseIterable {
  case appendOne = "append-one"
  case removeMiddle = "remove-middle"
  case moveFirstToLast = "move-first-to-last"

  func lists(_ count: Int) -> Lists<Int> {
    let old = Array(0..<count)
    var new = old
    switch self {
    case .appendOne: new.append(count)
    case .removeMiddle: new.remove(at: count / 2)
    case .moveFirstToLast: new.append(new.removeFirst())
    }
    return (old, new)
  }
}

func unchanged(_ count: Int) -> Lists<Int> {
  // Two arrays, so that none is known to be the other.
  (Array(0..<count), (0..<count).map { $0 })
}

/// A share of all rows deleted, as many inserted and as many moved, at random places.
func churned(_ count: Int, share: Double) -> Lists<Int> {
  edited(count, deleting: share, inserting: share, moving: share)
}

/// The set-up of the benchmark in DifferenceKit's README: one range of rows is deleted, one of as many is inserted,
/// and the first rows are shuffled among themselves; a fifth and a twenty-fifth of 5,000 rows, a tenth and a fiftieth
/// of more.
func readme(_ count: Int) -> Lists<Int> {
  var random = SplitMix(state: 42)
  let changed = count == 5000 ? 1000 : count / 10
  let start = count == 5000 ? 2000 : count / 5
  let old = Array(0..<count)
  var new = old
  new.removeSubrange(start..<start + changed)
  new.insert(contentsOf: count..<count + changed, at: start + changed)
  new[..<(changed / 5)].shuffle(using: &random)
  return (old, new)
}

/// The same at random places.
func scattered(_ count: Int) -> Lists<Int> {
  edited(count, deleting: 0.1, inserting: 0.1, moving: 0.02)
}

func shuffled(_ count: Int) -> Lists<Int> {
  var random = SplitMix(state: 42)
  let old = Array(0..<count)
  return (old, old.shuffled(using: &random))
}

/// Both lists at random over a hundred identifiers.
func repeated(_ count: Int) -> Lists<Int> {
  var random = SplitMix(state: 42)
  func list() -> [Int] { (0..<count).map { _ in Int.random(in: 0..<100, using: &random) } }
  return (list(), list())
}

private func edited(
  _ count: Int, deleting: Double, inserting: Double, moving: Double
) -> Lists<Int> {
  var random = SplitMix(state: 42)
  let old = Array(0..<count)
  let gone = Set(
    (0..<Int(Double(count) * deleting)).map { _ in Int.random(in: old.indices, using: &random) })
  var kept = old.filter { !gone.contains($0) }
  // So many rows change places among themselves.
  let places = kept.indices.shuffled(using: &random).prefix(Int(Double(count) * moving))
  for (place, row) in zip(places, places.map { kept[$0] }.shuffled(using: &random)) {
    kept[place] = row
  }
  var gaps = [Int](repeating: 0, count: kept.count + 1)
  for _ in 0..<Int(Double(count) * inserting) {
    gaps[Int.random(in: gaps.indices, using: &random)] += 1
  }
  var new: [Int] = []
  var next = count
  for (index, arrivals) in gaps.enumerated() {
    for _ in 0..<arrivals {
      new.append(next)
      next += 1
    }
    if index < kept.count { new.append(kept[index]) }
  }
  return (old, new)
}

/// A hundred sections of a thousand rows, of which a thousand rows go to other places in any section, a
/// thousand are deleted and as many inserted, and one section moves.
func sectioned() -> Lists<ListSection<Int, Int>> {
  var random = SplitMix(state: 42)
  let old = (0..<100).map { section in
    ListSection(header: section, rows: Array(section * 1000..<(section + 1) * 1000))
  }
  var new = old
  func place() -> ListPath {
    let section = Int.random(in: 0..<100, using: &random)
    return ListPath(
      section: section, row: Int.random(in: 0..<new[section].rows.count, using: &random))
  }
  for number in 0..<1000 {
    let (from, to, gone, arrived) = (place(), place(), place(), place())
    let row = new[from.section].rows.remove(at: from.row)
    new[to.section].rows.insert(row, at: min(to.row, new[to.section].rows.count))
    new[gone.section].rows.remove(at: min(gone.row, new[gone.section].rows.count - 1))
    new[arrived.section].rows.insert(100_000 + number, at: min(arrived.row, 900))
  }
  new.append(new.remove(at: 10))
  return (old, new)
}

func mapped<Element>(_ lists: Lists<Int>, _ make: (Int) -> Element) -> Lists<Element> {
  (lists.old.map(make), lists.new.map(make))
}

func uuid(_ number: Int) -> UUID {
  var random = SplitMix(state: UInt64(number))
  let (a, b) = (random.next(), random.next())
  return withUnsafeBytes(of: (a, b)) { UUID(uuid: $0.load(as: uuid_t.self)) }
}

/// A text of 36 characters, as identifiers from a server often are.
func text(_ number: Int) -> String { uuid(number).uuidString }

/// The same in 18 Cyrillic letters, which are as many bytes.
func cyrillic(_ number: Int) -> String {
  var state = SplitMix(state: UInt64(number))
  return String(
    String.UnicodeScalarView(
      (0..<18).compactMap { _ in
        Unicode.Scalar(0x410 + UInt32(state.next() % 64))
      }))
}

/// A generator with a seed, so that every run measures the same lists.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
