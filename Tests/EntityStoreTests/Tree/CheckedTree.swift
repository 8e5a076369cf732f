import TestSupport
import Testing

@testable import EntityStore

/// A tree beside the array that it should equal.
struct CheckedTree: Sendable {
  var tree: RankTree
  var entries: [RankEntry]

  /// A tree of `entries`, built at once.
  init(_ entries: [RankEntry], widths: RankNodeWidths) {
    tree = RankTree(sorted: entries, with: RankTreeBuilder(widths: widths))
    self.entries = entries
  }

  mutating func insert(_ entry: RankEntry, at rank: Int) {
    tree.insert(entry, at: rank)
    entries.insert(entry, at: rank)
  }

  mutating func remove(at rank: Int) {
    expectEqual(tree.remove(at: rank), entries.remove(at: rank))
  }

  /// Records an issue if the counts differ or the tree isn't sound.
  func checkSoundness(sourceLocation: SourceLocation = #_sourceLocation) {
    expectEqual(tree.count, entries.count, sourceLocation: sourceLocation)
    if let broken = tree.brokenInvariant() {
      recordIssue(broken, sourceLocation: sourceLocation)
    }
  }

  /// Records an issue if the tree isn't sound or its contents differ.
  func check(sourceLocation: SourceLocation = #_sourceLocation) {
    checkSoundness(sourceLocation: sourceLocation)
    expectTrue(tree.entries == entries, "The contents differ.", sourceLocation: sourceLocation)
  }
}

/// A change of one entry.
enum Step: Sendable, CustomStringConvertible {
  case insert(at: Int)
  case remove(at: Int)

  var description: String {
    switch self {
    case .insert(let rank): "insert at \(rank)"
    case .remove(let rank): "remove at \(rank)"
    }
  }

  /// How many entries there are more after it.
  var difference: Int {
    switch self {
    case .insert: 1
    case .remove: -1
    }
  }

  /// All steps that a tree of `count` entries can take.
  static func all(count: Int) -> [Step] {
    (0...count).map { .insert(at: $0) } + (0..<count).map { .remove(at: $0) }
  }
}

extension CheckedTree {
  mutating func take(_ step: Step, inserting entry: RankEntry) {
    switch step {
    case .insert(let rank): insert(entry, at: rank)
    case .remove(let rank): remove(at: rank)
    }
  }
}

extension RankNodeWidths {
  /// As narrow as can be, so that few entries make many nodes.
  static var narrow: RankNodeWidths { RankNodeWidths(leaf: 4, inner: 4) }

  static var all: [RankNodeWidths] {
    [
      .narrow, RankNodeWidths(leaf: 5, inner: 7), RankNodeWidths(leaf: 64, inner: 64), .standard,
    ]
  }
}

extension RankTree {
  var entries: [RankEntry] {
    var entries: [RankEntry] = []
    forEach { entries.append($0) }
    return entries
  }

  /// All nodes, each before those below it.
  var nodes: [UnsafeRankNode] {
    func nodes(from node: UnsafeRankNode) -> [UnsafeRankNode] {
      let below = node.read { fields in
        fields.isLeaf ? [] : (0..<fields.width).map { fields.children[$0] }
      }
      return [node] + below.flatMap { nodes(from: $0) }
    }
    return nodes(from: root)
  }

  var identities: Set<ObjectIdentifier> { Set(nodes.map(ObjectIdentifier.init)) }
}

extension UnsafeRankNode {
  /// What `body` gives for the fields, which aren't held by whoever has them.
  func read<Result>(_ body: (UnsafeRankFields) -> Result) -> Result {
    withExtendedLifetime(self) { body(fields) }
  }

  var isLeaf: Bool { read(\.isLeaf) }
  var height: Int { read(\.height) }
  var room: Int { read(\.capacity) }
}

/// Different entries in order.
func distinct(_ count: Int, from start: Int = 0) -> [RankEntry] {
  (start..<start + count).map { entry($0) }
}

/// An entry that no other number gives, and that comes after those of lesser numbers.
func entry(_ number: Int) -> RankEntry {
  RankEntry(prefix: UInt64(number) << 36 | UInt64(~number & 0xFFFF_FFFF), slot: UInt32(number))
}
