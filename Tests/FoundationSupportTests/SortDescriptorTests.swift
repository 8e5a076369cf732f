@_spi(Storage) import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import TestSupport
import Testing

@Suite struct `Sort descriptors order a query` {
  /// Checks that a query has the order of descriptors, then that of ids.
  private func check(
    _ store: Store, _ descriptors: [SortDescriptor<Item>],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try store.fetch(Query<Item>().sorted(descriptors)).map(\.id)
    let expected = items.sorted(using: descriptors + [SortDescriptor(\.id)]).map(\.id)
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  @Test(arguments: TestStorage.allCases)
  func `as Foundation orders the objects`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(of: items)
    for order in [SortOrder.forward, .reverse] {
      try check(store, [SortDescriptor(\.year, order: order)])
      try check(store, [SortDescriptor(\.size, order: order)])
      try check(store, [SortDescriptor(\.big, order: order)])
      try check(store, [SortDescriptor(\.weight, order: order)])
      try check(store, [SortDescriptor(\.ratio, order: order)])
      try check(store, [SortDescriptor(\.price, order: order)])
      try check(store, [SortDescriptor(\.discount, order: order)])
      try check(store, [SortDescriptor(\.made, order: order)])
      try check(store, [SortDescriptor(\.seen, order: order)])
      try check(store, [SortDescriptor(\.code, order: order)])
      try check(store, [SortDescriptor(\.name, order: order)])
      try check(store, [SortDescriptor(\.note, order: order)])
      try check(store, [SortDescriptor(\.name, comparator: .lexical, order: order)])
      try check(store, [SortDescriptor(\.note, comparator: .lexical, order: order)])
      try check(
        store,
        [
          SortDescriptor(\.note, order: order), SortDescriptor(\.year),
          SortDescriptor(\.price, order: .reverse),
        ])
    }
    try check(store, [])
  }

  @Test(arguments: TestStorage.allCases)
  func `A type with an order of its own is in that order`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(of: items)
    try check(store, [SortDescriptor(\.grade), SortDescriptor(\.year)])
    try check(store, [SortDescriptor(\.grade, order: .reverse)])
  }

  @Test func `Equal descriptors make equal queries`() throws {
    let descriptors: [SortDescriptor<Item>] = [SortDescriptor(\.grade), SortDescriptor(\.name)]
    let query = try Query<Item>().sorted(descriptors)
    #expect(try Query<Item>().sorted(descriptors).description == query.description)
    #expect(
      try Query<Item>().sorted([SortDescriptor(\.year, order: .reverse)]).description
        == Query<Item>().sorted { [$0.year.descending] }.description)
    #expect(
      try Query<Item>().sorted([SortDescriptor(\.name)]).description
        == Query<Item>().sorted { [$0.name.ascending] }.description)
  }

  @Test func `A property that is no attribute is refused`() {
    #expect(throws: QueryTranslationError.self) {
      try Query<Item>().sorted([SortDescriptor(\.year), SortDescriptor(\.title)])
    }
    do {
      _ = try Query<Item>().sorted([SortDescriptor(\.name.count)])
      Issue.record("A part of an attribute")
    } catch {
      #expect(error.entity == "Item")
      #expect(error.advice.contains("the schema lists"))
    }
  }
}
