internal import EntityStore
internal import Locking

/// A query, worked out: what to read for a row, how to compare rows, and whom to follow.
final class ResultPlan: Sendable {
  let query: QueryDescription
  /// What is read for each row besides its own attributes: the values on declared paths, whether
  /// included objects are there, and keys that aren't plain attributes.
  let values: [QueryExpression]
  let filter: CompiledExpression?
  private let readers: [CompiledExpression]
  /// The order of rows within their section.
  let order: RowOrder
  /// Which of the values that order reads.
  private let orderPlaces: Set<Int>
  private let sectionKeys: [RowKey]
  private let title: RowKey?
  /// What the query reads of other objects.
  let reads: [RelationshipDependency]
  /// What of it comes with each row and makes no difference to where the row stands.
  let includedReads: [RelationshipDependency]
  /// What finds the query if an object of its entity changes; nil if every change may concern it.
  let watched: WatchedPredicate?
  /// Commits that don't pass the guard and touch none of these don't concern the query.
  let entities: Set<EntityDescription>
  let sectionOrder: [SortKey]
  /// What the query gives sums, averages, extremes and counts of.
  let aggregated: [RowKey]
  /// How many nodes of the result's trees have been summed up.
  let summarized = AtomicWord(0)
  /// How often two rows have been compared to find where a row is shown.
  let compared = AtomicWord(0)
  /// How often the changes of an event have been worked out.
  let differed = AtomicWord(0)
  /// Set once a feed has asked for a check sum, so that later snapshots keep those.
  let isFed = AtomicWord(0)
  /// What comes with each row of other objects.
  let included: InclusionTree
  /// Where the values that come with each row stand among its values.
  private let includedPlaces: [QueryExpression: Int]
  /// What the hashes of rows begin with: the names of what is hashed.
  let feedSeed: FeedHash

  init(_ query: QueryDescription) {
    self.query = query
    sectionOrder = query.sectionOrder
    let title: QueryExpression? =
      switch query.sectioning {
      case nil: nil
      case .key(let expression): expression
      case .parts(_, let title, _): title
      }
    var values: [QueryExpression] = []
    var places: [QueryExpression: Int] = [:]
    func declare(_ expression: QueryExpression) {
      if places[expression] == nil {
        places[expression] = values.count
        values.append(expression)
      }
    }
    /// Where a key that the object alone doesn't give is kept.
    func place(_ expression: QueryExpression) -> Int {
      declare(expression)
      return places[expression] ?? 0
    }
    query.filter?.forEachForeignPart(declare)
    // All rows of a section are the same in what the section is ordered by.
    let tied = Set(query.sectionOrder.map(\.expression))
    var orderPlaces: Set<Int> = []
    order = RowOrder(
      query.orderings.filter { !tied.contains($0.expression) }, of: query.entity,
      place: {
        orderPlaces.insert(place($0))
        return place($0)
      })
    self.orderPlaces = orderPlaces
    sectionKeys = sectionOrder.map { RowKey($0.expression, of: query.entity, place: place) }
    self.title = title.map { RowKey($0, of: query.entity, place: place) }
    aggregated = query.aggregated.map { RowKey($0, of: query.entity, place: place) }
    var includedPlaces: [QueryExpression: Int] = [:]
    for value in query.includedValues {
      declare(value)
      includedPlaces[value] = places[value]
    }
    self.includedPlaces = includedPlaces
    self.values = values
    filter = query.filter.map { CompiledExpression($0, of: query.entity) }
    readers = values.map { CompiledExpression($0, of: query.entity) }
    included = InclusionTree(
      query.entity, query.included.filter { !$0.steps.isEmpty },
      place: { places[.attribute($0)] })
    feedSeed = FeedHash(ofRowsWith: included.namedValues.map(\.name))
    let expressions = values + [query.filter].compactMap { $0 }
    reads = Array(Set(expressions.flatMap { RelationshipDependency.all(in: $0) }))
    let deciding = Set(
      (query.fullOrder.map(\.expression) + [query.filter, title].compactMap { $0 })
        .flatMap { RelationshipDependency.all(in: $0) })
    includedReads = reads.filter { !deciding.contains($0) }
    let foreign = Set(reads.flatMap { $0.steps.map(\.target) })
    // An object that others of its kind read may concern the query whatever it is itself.
    watched = foreign.contains(query.entity) ? nil : query.filter.flatMap(WatchedPredicate.init)
    entities = watched == nil ? foreign.union([query.entity]) : foreign
  }

  // MARK: Rows

  /// The row of the result for an object, or nil if the filter leaves it out.
  func row(_ row: EntityRow, reading reader: any StorageReader) throws -> ResultRow? {
    guard try meetsFilter(row, reading: reader) else { return nil }
    return try resultRow(row, reading: reader)
  }

  /// Whether the filter lets an object in.
  func meetsFilter(_ row: EntityRow, reading reader: any StorageReader) throws -> Bool {
    try filter?.isTrueUnchecked(of: row, reading: reader) ?? true
  }

  /// The row of the result for an object that belongs.
  func resultRow(_ row: EntityRow, reading reader: any StorageReader) throws -> ResultRow {
    resultRow(row, values: try readers.map { try $0.uncheckedValue(of: row, reading: reader) })
  }

  /// The row for an object, with only those values that another row of its section is compared by.
  func orderRow(_ row: EntityRow, reading reader: any StorageReader) throws -> ResultRow {
    resultRow(
      row,
      values: try readers.indices.map {
        orderPlaces.contains($0) ? try readers[$0].uncheckedValue(of: row, reading: reader) : .null
      })
  }

  /// The row of the result for an object that belongs, whose values have been read.
  func resultRow(_ row: EntityRow, values: [StoredValue]) -> ResultRow {
    ResultRow(row: row, values: values.isEmpty ? nil : RowValues(values))
  }

  /// Whether values of other objects come with each row.
  var hasIncludedValues: Bool { !includedPlaces.isEmpty }

  /// The values of other objects that come with a row, by their paths.
  func includedValues(of row: ResultRow) -> [QueryExpression: StoredValue] {
    includedPlaces.compactMapValues { row.values?.all[$0] }
  }

  /// The key of the section that a row is in.
  func sectionKey(of row: ResultRow) -> SectionKey {
    guard let title else { return .only }
    return sectionKey(
      order: sectionKeys.map { $0.value(row.row, row.values) },
      title: title.value(row.row, row.values))
  }

  /// The key of a section whose title is a value; nil is titled "".
  func sectionKey(order: [StoredValue], title: StoredValue) -> SectionKey {
    let text =
      switch title {
      case .null: ""
      case .integer(let number) where query.titlesAreTruths: number == 0 ? "false" : "true"
      default: title.description
      }
    return SectionKey(order: order, title: text)
  }

  // MARK: Order

  /// Whether a row that has the same prefix as another comes after it or is the same.
  func comesNoEarlier(_ a: ResultRow?, _ b: ResultRow) -> Bool {
    guard let a else { return true }
    return order.compareTied(a.row, a.values, b.row, b.values) >= 0
  }

  /// Whether a row that has the same prefix as another comes before it.
  func comesEarlier(_ a: ResultRow?, _ b: ResultRow?) -> Bool {
    guard let a, let b else { return false }
    return order.compareTied(a.row, a.values, b.row, b.values) < 0
  }

  /// Whether a row comes before another one in the order of the whole result.
  func isBefore(_ a: ResultRow, _ b: ResultRow) -> Bool {
    if title != nil {
      let order = compare(sectionKey(of: a), sectionKey(of: b))
      if order != 0 { return order < 0 }
    }
    return order.compare(a.row, a.values, b.row, b.values) < 0
  }

  /// Whether a new version of a row is in the section, with the same title, and at the place among
  /// others that the old one had.
  func staysInPlace(_ old: ResultRow, _ new: ResultRow) -> Bool {
    order.compare(old.row, old.values, new.row, new.values) == 0
      && (title == nil || sectionKey(of: old) == sectionKey(of: new))
  }

  /// Whether two rows are in one section.
  func isSameSection(_ a: ResultRow, _ b: ResultRow) -> Bool {
    sectionKeys.indices.allSatisfy { index in
      let key = sectionKeys[index]
      return sectionOrder[index].compare(
        key.value(a.row, a.values), key.value(b.row, b.values)) == 0
    }
  }

  /// Negative, 0 or positive as section `a` stands before, at or after `b`.
  func compare(_ a: SectionKey, _ b: SectionKey) -> Int {
    for index in sectionOrder.indices {
      let order = sectionOrder[index].compare(a.order[index], b.order[index])
      if order != 0 { return order }
    }
    return 0
  }
}

extension QueryDescription {
  /// What comes with each row of other objects: the values on the included paths and, of each object on the way, whether
  /// it is there, which is known by its id.
  var includedValues: [QueryExpression] {
    var values: [QueryExpression] = []
    for path in included where !path.steps.isEmpty {
      for end in path.steps.indices {
        let steps = Array(path.steps[...end])
        values.append(
          .attribute(
            AttributePath(root: entity, steps: steps, column: path.steps[end].target.identity)))
      }
      values.append(.attribute(path))
    }
    return values
  }
}
