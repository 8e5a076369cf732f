import EntityStore
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@testable import FetchedObjects

/// A row of a list made by hand.
private struct Piece: Diffable, Hashable, Sendable, CustomStringConvertible {
  let diffIdentifier: Int
  var isKept: Bool

  var description: String { isKept ? "\(diffIdentifier)" : "(\(diffIdentifier))" }
}

private typealias Pieces = [ListSection<String, Piece>]

/// A list made by hand that others can be derived from.
private final class Hand: ListContent {
  let list: Pieces
  /// What each section is ordered by, by its name.
  let orders: [String: Int]

  init(_ list: Pieces, _ orders: [String: Int]) {
    self.list = list
    self.orders = orders
  }

  var key: ListKey { ListKey(self) }
  var version: Int64 { 1 }
  var count: Int { list.reduce(0) { $0 + $1.rows.count } }
  var isSectioned: Bool { list.first?.header != "" }
  var sectionCount: Int { list.count }
  func header(_ section: Int) -> ListHeader {
    let name = list[section].header
    return ListHeader(
      key: SectionKey(
        order: name.isEmpty ? [] : [.integer(Int64(orders[name] ?? 0)), .text(name)], title: name),
      staysWhenEmpty: name.isEmpty)
  }
  func rowCount(_ section: Int) -> Int { list[section].rows.count }
  func row(at path: ListPath) -> Piece { list[path] }
  func rows(_ section: Int) -> [Piece] { list[section].rows }
}

/// A model of a list made by hand, whose events the test sends.
private final class HandModel: ListModel {
  let core: ListCore<Piece>

  init(_ list: Hand) {
    core = ListCore(
      signals: ListSignals(), tracking: ListTracking(), dependents: WeakList(),
      notifiers: [WeakList()], queue: .immediate(), content: { list }, error: { nil })
  }
}

/// Derives lists from one made by hand, and takes it from one version to another.
private struct Bench {
  /// The steps of a filter, and of a list that keeps all, when one list becomes another.
  static func check(_ old: Pieces, _ new: Pieces) {
    let changes = ListChanges(
      from: old, to: new, sectionsIdentifiedBy: { $0 }, rowsIdentifiedBy: \.diffIdentifier,
      isHeaderEqual: ==, isContentEqual: ==)
    var orders = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.header, $0 * 10) })
    let before = Hand(old, orders)
    for move in changes.movedSections {
      orders[new[move.new].header] = move.new < move.old ? -10 : 100
    }
    let after = Hand(new, orders)
    let source = HandModel(before)
    let filter = source.filter(\.isKept)
    let map = source.map { $0 }
    let counted = filter.map { $0 }
    let models = [filter, map, counted]
    let starts = models.map(\.snapshot)
    let recorders = models.map { Recorder($0.didChange) }
    let origin = EventOrigin(list: ObjectIdentifier(before), number: 1)
    let event = ShownEvent<Piece>(
      before: before, changes: LazyChanges(known: changes), after: after, versions: 1...1,
      origin: origin, isNewQuery: false)
    for dependent in source.core.dependents.objects { dependent.show(event) }
    for notifier in source.core.notifiers[0].objects { notifier.notify(origin) }
    let kept = [keep(new), new, keep(new)]
    let named = ShownStep(shown(old), changes, shown(new)).named()
    for (index, model) in models.enumerated() {
      let now = FetchedObjectsTests.shown(model.snapshot, text)
      expectEqual(now.map { $0.rows.map(\.text) }, kept[index].map { $0.rows.map(\.description) })
      let events = recorders[index].values
      if let event = events.first {
        let step = ShownStep(event, text)
        step.check(
          named: named, isSectioned: new.first?.header != "", "\(old) to \(new)",
          order: { "\(($1 ? after : before).orders[$0.header.name] ?? 0)" })
      } else {
        expectEqual(FetchedObjectsTests.shown(starts[index], text), now)
      }
    }
  }

  static func keep(_ list: Pieces) -> Pieces {
    list.map { ListSection(header: $0.header, rows: $0.rows.filter(\.isKept)) }
      .filter { $0.header == "" || !$0.rows.isEmpty }
  }

  static func text(_ piece: Piece) -> ShownRow {
    ShownRow(id: piece.diffIdentifier, text: piece.description)
  }

  static func shown(_ list: Pieces) -> ShownList {
    list.map {
      ListSection(
        header: ShownHeader(identity: .text($0.header), name: $0.header), rows: $0.rows.map(text))
    }
  }
}

@Suite(.oneThread) struct SmallFilterTests {
  /// Every order of every subset of some rows, each kept or not.
  private static func lists(_ count: Int) -> [[Piece]] {
    subsets(of: Array(0..<count)).flatMap { permutations(of: $0) }.flatMap { order in
      subsets(of: order).map { kept in
        order.map { Piece(diffIdentifier: $0, isKept: kept.contains($0)) }
      }
    }
  }

  @Test func `A filter of any list of three rows follows it to any other`() {
    let lists = Self.lists(3).map { [ListSection(header: "", rows: $0)] }
    #expect(lists.count == 79)
    withEvery("old", in: lists) { old in
      withEvery("new", in: lists) { new in Bench.check(old, new) }
    }
  }

  @Test(.large) func `A filter of any list of four rows follows it to any order`() {
    let old = subsets(of: Array(0..<4)).map { kept in
      (0..<4).map { Piece(diffIdentifier: $0, isKept: kept.contains($0)) }
    }
    let new = Self.lists(4).filter { $0.count == 4 }
    withEvery("old", in: old) { old in
      withEvery("new", in: new) { new in
        Bench.check([ListSection(header: "", rows: old)], [ListSection(header: "", rows: new)])
      }
    }
  }

  @Test func `A filter of any two sections of two rows follows them to any others`() {
    let lists: [Pieces] = Self.lists(2).flatMap { rows in
      (0...rows.count).flatMap { split in
        [["A", "B"], ["B", "A"]].map { names in
          [
            ListSection(header: names[0], rows: Array(rows[..<split])),
            ListSection(header: names[1], rows: Array(rows[split...])),
          ].filter { !$0.rows.isEmpty }
        }
      }
    }
    withEvery("old", in: lists) { old in
      withEvery("new", in: lists) { new in Bench.check(old, new) }
    }
  }

  @Test func `A filter of three sections follows them to any order`() {
    let names = permutations(of: ["A", "B", "C"])
    let patterns = subsets(of: [0, 1, 2])
    func list(_ names: [String], _ kept: [Int], _ shift: Int) -> Pieces {
      names.map { name in
        let number = ["A": 0, "B": 1, "C": 2][name] ?? 0
        return ListSection(
          header: name,
          rows: [Piece(diffIdentifier: (number + shift) % 3, isKept: kept.contains(number))])
      }
    }
    withEvery("kept", in: patterns) { kept in
      withEvery("names", in: names) { newNames in
        withEvery("new kept", in: patterns) { newKept in
          withEvery("shift", in: 0..<3) { shift in
            Bench.check(list(["A", "B", "C"], kept, 0), list(newNames, newKept, shift))
          }
        }
      }
    }
  }
}

@Suite(.oneThread) struct CountedTreeTests {
  private struct Cell: Includable, Equatable {
    var number: Int
    var isIncluded: Bool
  }

  @Test func `A tree is an array that counts what is kept, and its copies stay as they were`() {
    var random = SeededGenerator(number: 1)
    var array = (0..<40).map { Cell(number: $0, isIncluded: $0 % 3 != 0) }
    var tree = CountedTree(array)
    var copies: [(CountedTree<Cell>, [Cell])] = []
    for step in 0..<4_000 {
      let isGrowing = step / 1_000 % 2 == 0
      let cell = Cell(number: step, isIncluded: random.chance(0.5))
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<(isGrowing ? 6 : 3):
        let position = Int.random(in: 0...array.count, using: &random)
        array.insert(cell, at: position)
        tree.insert(cell, at: position)
      case 9:
        guard let position = array.indices.randomElement(using: &random) else { continue }
        array[position] = cell
        tree.update(at: position) { $0 = cell }
      default:
        guard let position = array.indices.randomElement(using: &random) else { continue }
        #expect(tree.remove(at: position) == array.remove(at: position))
      }
      #expect(tree.count == array.count)
      if step % 97 == 0 {
        check(tree, array)
        copies.append((tree, array))
      }
    }
    for (tree, array) in copies { check(tree, array) }
  }

  private func check(_ tree: CountedTree<Cell>, _ array: [Cell]) {
    let kept = array.filter(\.isIncluded)
    #expect(tree.count == array.count && tree.includedCount == kept.count)
    #expect(array.indices.map { tree[$0] } == array)
    #expect(kept.indices.map { tree.included(at: $0) } == kept)
    #expect(
      (0...array.count).map { tree.includedCount(before: $0) }
        == (0...array.count).map { array[..<$0].filter(\.isIncluded).count })
    var elements: [Cell] = []
    tree.forEach { elements.append($0) }
    #expect(elements == array)
    #expect(CountedTree(array).included(at: 0 + (kept.count - 1) / 2) == kept[(kept.count - 1) / 2])
  }
}
