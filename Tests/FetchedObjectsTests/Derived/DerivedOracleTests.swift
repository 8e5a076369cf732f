@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import TestSupport
import Testing

/// Queries between which a model goes to and fro.
struct DerivedFamily: Sendable, CustomTestStringConvertible {
  let name: String
  let isSectioned: Bool
  let queries: [Query<Car>]
  /// What sections are ordered by.
  let order: @Sendable (EntityView<Car>) -> String

  var testDescription: String { name }

  static let all = [
    DerivedFamily(
      name: "flat", isSectioned: false,
      queries: [
        Query<Car>().sorted { [$0.model.ascending] }.including { $0.owner.name },
        Query<Car>().filter { $0.year > 2003 }.sorted { [$0.year.descending] }
          .including { $0.owner.name },
      ], order: { _ in "" }),
    DerivedFamily(
      name: "by owner's name", isSectioned: true,
      queries: [
        byOwner,
        Query<Car>()
          .sorted { [$0.owner.name.descending, $0.year.ascending] }
          .sectioned { $0.owner.name }
          .including { $0.owner.name },
        Query<Car>().sorted { [$0.year.ascending] }.including { $0.owner.name },
      ], order: { $0.owner?.name ?? "" }),
    DerivedFamily(
      name: "a window", isSectioned: true,
      queries: [
        byOwner.limited(offset: 1, limit: 5),
        byOwner.limited(offset: 0, limit: 3),
      ], order: { $0.owner?.name ?? "" }),
    DerivedFamily(
      name: "by owner, ordered by name", isSectioned: true,
      queries: [
        Query<Car>()
          .sorted { [$0.model.ascending] }
          .sectioned(
            by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.name.ascending }
          )
          .including { $0.owner.name }
      ], order: { $0.owner?.name ?? "" }),
    DerivedFamily(
      name: "by owner, ordered by age", isSectioned: true,
      queries: [
        Query<Car>()
          .sorted { [$0.year.ascending] }
          .sectioned(
            by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.age.ascending }
          )
          .including {
            $0.owner.name
            $0.owner.age
          }
      ], order: { "\($0.owner?.age.map(String.init) ?? "none") \($0.owner == nil)" }),
  ]
}

@Suite(.oneThread) struct DerivedOracleTests {
  @Test(arguments: DerivedFamily.all, TestStorage.withServer)
  func `Every event of a derived model leads exactly from one list to the next`(
    _ family: DerivedFamily, _ storage: TestStorage
  ) throws {
    var counts: [String: Int] = [:]
    for seed in seeds(storage == .memory ? 25 : 4) {
      var random = SeededGenerator(seed: seed + 1000)
      let store = try storage.makeGarage()
      var writer = RandomWriter(random: SeededGenerator(seed: seed))
      for _ in 0..<3 { try writer.commit(store) }
      // With the fewest rounds, memory has both policies, and the others have this one.
      let isCoalesced = (seed % 3 == 0) == (storage == .memory)
      let policy: DeliveryPolicy = isCoalesced ? .coalesced : .every
      let source = try FetchedObjectsModel(family.queries[0], in: store, policy: policy)
      let world = DerivedWorld(family, source)
      for step in 0..<25 {
        let trace = "\(family.name), seed \(seed), step \(step)"
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          source.pause()
          for _ in 0..<3 { try writer.commit(store) }
          world.check("\(trace), paused", isPaused: true)
          source.resume()
        case 1:
          let query = family.queries[Int.random(in: 0..<family.queries.count, using: &random)]
          try source.setQuery(query)
        default: try writer.commit(store)
        }
        world.check(trace)
      }
      counts.merge(world.counts, uniquingKeysWith: +)
    }
    print(family.name, storage, counts.sorted { $0.key < $1.key })
    let seen: [String] =
      ["events", "deletes", "inserts", "moves", "updates"]
      + (family.isSectioned ? ["deleted sections", "inserted sections"] : [])
    for kind in seen { #expect(counts[kind, default: 0] > 0, "\(kind)") }
  }
}

/// A model and all kinds of lists derived from it.
private final class DerivedWorld {
  let family: DerivedFamily
  let source: FetchedObjectsModel<Car>
  let events: Recorder<ListEvent<EntityView<Car>>>
  var told = 0
  var lastQuery: QueryDescription
  let mapped: DerivedWatch<CarRow>
  let filtered: DerivedWatch<EntityView<Car>>
  let compacted: DerivedWatch<CarRow>
  let filteredMap: DerivedWatch<CarRow>
  let mappedFilter: DerivedWatch<CarRow>
  let filteredFilter: DerivedWatch<EntityView<Car>>
  let whole: DerivedWatch<CarRow>
  let filteredWhole: DerivedWatch<CarRow>
  let wholeOfWholes: DerivedWatch<CarRow>

  init(_ family: DerivedFamily, _ source: FetchedObjectsModel<Car>) {
    self.family = family
    self.source = source
    events = Recorder(source.didChange)
    lastQuery = source.query.description.unlimited
    let full: (EntityView<Car>) -> ShownRow = { Self.full($0, family) }
    let mapped = source.map { Self.row($0) }
    let filtered = source.filter { Self.isKept($0.value) }
    let compacted = source.compactMap { $0.year < 2005 ? Self.row($0) : nil }
    let mappedFilter = filtered.map { Self.row($0) }
    let whole = mappedFilter.concatenated(with: mapped, compacted)
    self.mapped = DerivedWatch("map", mapped, shown)
    self.filtered = DerivedWatch("filter", filtered, full)
    self.compacted = DerivedWatch("compactMap", compacted, shown)
    filteredMap = DerivedWatch(
      "filter of map", mapped.filter { Self.isKept(shown($0)) }, shown)
    self.mappedFilter = DerivedWatch("map of filter", mappedFilter, shown)
    filteredFilter = DerivedWatch(
      "filter of filter", filtered.filter { $0.model < "C" }, full)
    self.whole = DerivedWatch("concatenated", whole, shown)
    let filteredWhole = whole.filter { Self.isKept(shown($0)) }
    self.filteredWhole = DerivedWatch("filter of concatenated", filteredWhole, shown)
    wholeOfWholes = DerivedWatch(
      "concatenated of concatenated", DerivedModel(concatenating: [filteredWhole, mapped, whole]),
      shown)
  }

  static func row(_ car: EntityView<Car>) -> CarRow {
    CarRow(diffIdentifier: car.id, title: car.model, band: car.year / 4)
  }
  static func isKept(_ car: Car) -> Bool { (car.year + car.id) % 3 != 0 }
  static func isKept(_ row: ShownRow) -> Bool { row.text.utf8.reduce(0) { $0 + Int($1) } % 2 == 0 }

  static func full(_ car: EntityView<Car>, _ family: DerivedFamily) -> ShownRow {
    let order = family.order(car)
    return ShownRow(
      id: car.id,
      text:
        "\(car.value.model) \(car.value.year) \(car.value.owner?.id ?? -1) \(car.owner?.name ?? "") \(order)",
      order: order)
  }

  var counts: [String: Int] {
    var counts: [String: Int] = [:]
    for other in [filtered.counts, filteredFilter.counts] {
      counts.merge(other, uniquingKeysWith: +)
    }
    for watch in [
      mapped, compacted, filteredMap, mappedFilter, whole, filteredWhole, wholeOfWholes,
    ] { counts.merge(watch.counts, uniquingKeysWith: +) }
    return counts
  }

  func check(_ trace: String, isPaused: Bool = false) {
    let new = events.values.dropFirst(told)
    told += new.count
    #expect(new.count <= 1 && (!isPaused || new.isEmpty), "\(trace): one event of the source")
    let family = family
    let full: (EntityView<Car>) -> ShownRow = { Self.full($0, family) }
    let step = new.first.map { ShownStep($0, full) }
    step?.check(named: [], isSectioned: false, "\(trace), the source", order: nil)
    let named = step?.named() ?? []
    let isWhole = source.query.description.unlimited != lastQuery
    lastQuery = source.query.description.unlimited
    func all(_ list: ShownList) -> Set<ShownKey> {
      Set(
        list.flatMap { section in
          section.rows.map { ShownKey(parts: section.header.parts, id: $0.id) }
        })
    }
    let snapshot = source.snapshot
    let isSectioned = family.isSectioned && !source.query.description.sectionOrder.isEmpty
    let cars = shown(snapshot, full)
    let rows = shown(snapshot) { shown(Self.row($0)) }
    let kept = Set(snapshot.objects.filter(Self.isKept).map(\.id))
    let low = Set(snapshot.objects.filter { $0.year < 2005 }.map(\.id))
    let early = Set(snapshot.objects.filter { $0.model < "C" }.map(\.id))
    func order(_ section: ListSection<ShownHeader, ShownRow>) -> String {
      section.rows.first?.order ?? ""
    }
    func keeping(_ list: ShownList, _ ids: Set<Int>) -> ShownList {
      FetchedObjectsTests.kept(list, isSectioned: isSectioned) { ids.contains($0.id) }
    }
    let isByAge = family.name.hasSuffix("age")
    func watch<Row>(
      _ watch: DerivedWatch<Row>, _ expected: ShownList, _ named: Set<ShownKey>
    ) -> ShownStep? {
      // A view model doesn't say what sections are ordered by.
      if isByAge && Row.self == CarRow.self {
        return watch.checkLoosely(expected, trace)
      }
      // A new query makes every row and section a candidate.
      return watch.check(
        expected, named: isWhole ? all(expected) : named, isSectioned: isSectioned, trace,
        isWhole: isWhole, order: { section, _ in isByAge ? order(section) : section.header.name })
    }
    let map = watch(mapped, rows, named)
    let filter = watch(filtered, keeping(cars, kept), named)
    let compact = watch(compacted, keeping(rows, low), named)
    _ = watch(
      filteredMap,
      FetchedObjectsTests.kept(rows, isSectioned: isSectioned, Self.isKept), map?.named() ?? [])
    let mapOfFilter = watch(mappedFilter, keeping(rows, kept), filter?.named() ?? [])
    _ = watch(filteredFilter, keeping(keeping(cars, kept), early), filter?.named() ?? [])
    let parts = [keeping(rows, kept), rows, keeping(rows, low)]
    let expected = Self.joined(parts)
    let steps = [mapOfFilter, map, compact]
    let inWhole = Set(
      steps.enumerated().flatMap { part, step in step?.named(in: [part]) ?? [] })
    let wholeStep = watch(whole, expected, inWhole)
    let keptWhole = FetchedObjectsTests.kept(expected, isSectioned: isSectioned, Self.isKept)
    let filteredStep = watch(filteredWhole, keptWhole, wholeStep?.named() ?? [])
    _ = watch(
      wholeOfWholes, Self.joined([keptWhole, rows, expected]),
      Set(
        [filteredStep, map, wholeStep].enumerated().flatMap { part, step in
          step?.named(in: [part]) ?? []
        }))
  }

  static func joined(_ parts: [ShownList]) -> ShownList {
    parts.enumerated().flatMap { part, list in
      list.map { section in
        var section = section
        section.header.parts.insert(part, at: 0)
        return section
      }
    }
  }
}

extension DerivedWatch {
  /// Checks all but what needs the order of sections.
  func checkLoosely(_ expected: ShownList, _ trace: String) -> ShownStep? {
    check(expected, named: [], isSectioned: true, trace, order: nil)
  }
}
