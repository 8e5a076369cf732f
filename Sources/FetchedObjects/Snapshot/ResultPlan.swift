@_spi(Storage) internal import EntityStore
internal import Locking

/// A prepared query: the values to read for a row, the order of rows, and the objects to follow.
final class ResultPlan: Sendable {
  let query: QueryDescription
  /// The table that has the plan by its query, until there is no plan any more.
  ///
  /// The query may have an app's comparator, which may hold the store.
  private weak let plans: WeakTable<QueryDescription, ResultPlan>?
  /// The values that are read for each row besides its own attributes.
  ///
  /// These are the values on declared paths, the ids that show whether included objects exist, and
  /// keys that aren't plain attributes.
  let values: [QueryExpression]
  /// These values and the filter.
  let expressions: [QueryExpression]
  /// True if not all objects belong to the result.
  let hasFilter: Bool
  let times: TimeConditions
  /// The prepared filter and values; nil if they depend on time.
  private let evaluation: RowEvaluation?
  /// The filter and the values, prepared for the last instant.
  private let pinned = Locked<(instant: Double, evaluation: RowEvaluation)?>(nil)
  /// The order of rows within their section.
  let order: RowOrder
  /// The positions of those values that the order reads.
  private let orderPlaces: Set<Int>
  /// The positions of those values that a row's section is made of.
  private let sectionPlaces: Set<Int>
  /// The positions of relevances, which may change with each commit and aren't shown.
  private let rankPlaces: [Int]
  private let sectionKeys: [RowKey]
  private let title: RowKey?
  /// The reads of other objects that several rows may share.
  let shared: SharedReads
  /// The dependencies of the query on other objects.
  let reads: [RelationshipDependency]
  /// The dependencies of the values that come with each row.
  ///
  /// Some of them may also decide about a row's position. A value that comes with a row may change
  /// while its position stays, even if both are read from one attribute.
  let includedReads: [RelationshipDependency]
  /// The dependencies of everything but the values that only come with rows.
  let decidingReads: [RelationshipDependency]
  /// The dependencies that only the values have that come with rows.
  ///
  /// They concern no object outside the result.
  let shownReads: [RelationshipDependency]
  /// True if the position of a row, or whether it belongs to the result, depends on other objects.
  let hasDecidingReads: Bool
  /// The predicate that finds the query if an object of its entity changes.
  ///
  /// It is nil if every change may concern the query.
  let watched: WatchedPredicate?
  /// The entities of which every change may concern the query.
  ///
  /// A commit doesn't concern the query if it touches none of them and doesn't meet `watched`.
  let entities: Set<EntityDescription>
  let sectionOrder: [SortKey]
  /// The values of which the query gives sums, averages, extremes and counts.
  let aggregated: [RowKey]
  /// For each of these values, whether it is a number and has sums.
  let areNumbers: [Bool]
  /// The number of nodes of the result's trees that have been summed up.
  let summarized = AtomicWord(0)
  /// The number of times that two rows have been compared to find where a row is shown.
  let compared = AtomicWord(0)
  /// The number of times that the changes of an event have been computed.
  let differed = AtomicWord(0)
  /// Nonzero once a feed has asked for a check sum; later snapshots then keep check sums.
  let isFed = AtomicWord(0)
  /// The hashes of rows; nil unless a feed keeps them.
  private let memo = Locked(WeakMemo(memo: nil))
  /// The attributes of other objects that come with each row.
  let included: InclusionTree
  /// The positions, among a row's values, of the values that come with it.
  private let includedPlaces: [QueryExpression: Int]
  /// The values that rows are sorted by within their section, with their names.
  ///
  /// Relevances aren't among them, since they may change with each commit.
  let sortValues: [(name: String, key: RowKey)]
  /// A number for the names of those values and of the section: lists of the same rows that send
  /// others differ in it.
  let sortNamesHash: UInt64
  /// A number for the values that rows are sorted by and that no hash of a row covers, or nil if
  /// there are none.
  ///
  /// They are values of other objects that the query doesn't include, and conditions of time. A
  /// value that is computed from the row's own attributes follows from them.
  let hiddenSortValues: UInt64?
  /// The common beginning of all hashes of rows: the names of the hashed values.
  let feedSeed: FeedHash
  /// The positions of the ids of objects on included paths, which a feed's rows may show without
  /// naming them.
  ///
  /// The object's own references are among its attributes.
  let includedIDs: [Int]

  deinit { plans?.forget(query) }

  /// Creates the plan of a query, and notes the table that has it, if one has.
  init(_ query: QueryDescription, among plans: WeakTable<QueryDescription, ResultPlan>? = nil) {
    self.query = query
    self.plans = plans
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
    /// Returns the position of a key whose value doesn't follow from the object alone.
    func place(_ expression: QueryExpression) -> Int {
      declare(expression)
      return places[expression] ?? 0
    }
    query.filter?.forEachForeignPart(declare)
    // All rows of a section agree on the values that the section is ordered by.
    let tied = Set(query.sectionOrder.map(\.expression))
    var orderPlaces: Set<Int> = []
    order = RowOrder(
      query.orderings.filter { !tied.contains($0.expression) }, of: query.entity,
      place: {
        orderPlaces.insert(place($0))
        return place($0)
      })
    self.orderPlaces = orderPlaces
    rankPlaces = query.isRanked ? values.indices.filter { values[$0].isRank } : []
    var sectionPlaces: Set<Int> = []
    func sectionPlace(_ expression: QueryExpression) -> Int {
      let place = place(expression)
      sectionPlaces.insert(place)
      return place
    }
    sectionKeys = sectionOrder.map {
      RowKey($0.expression, of: query.entity, place: sectionPlace)
    }
    self.title = title.map { RowKey($0, of: query.entity, place: sectionPlace) }
    self.sectionPlaces = sectionPlaces
    aggregated = query.aggregated.map { RowKey($0, of: query.entity, place: place) }
    areNumbers = query.aggregated.map(query.numbers.contains)
    let deciding = RelationshipDependency.all(in: values + [query.filter].compactMap { $0 })
    decidingReads = deciding
    var includedPlaces: [QueryExpression: Int] = [:]
    for value in query.includedValues {
      declare(value)
      includedPlaces[value] = places[value]
    }
    sortValues = query.orderings.filter { !$0.expression.isRank }.map {
      ($0.expression.relativeName, RowKey($0.expression, of: query.entity, place: place))
    }
    var sentNames = Set(sortValues.map(\.name))
    // A list whose only section is that of nil has the check sum of a flat one.
    if !sectionOrder.isEmpty { sentNames.insert("$section") }
    sortNamesHash = FeedHash(ofRowsWith: sentNames.sorted()).value
    self.includedPlaces = includedPlaces
    self.values = values
    hasFilter = query.filter != nil
    times = TimeConditions(in: query.isTimed ? query.expressions : [])
    evaluation = times.isEmpty ? RowEvaluation(query.filter, values, of: query.entity) : nil
    included = InclusionTree(
      query.entity, query.included.filter { !$0.steps.isEmpty }, query.includedComputed,
      place: { places[$0] })
    feedSeed = FeedHash(ofRowsWith: included.namedValues.map(\.name))
    let named = Set(included.namedValues.map(\.place))
    includedIDs = includedPlaces.filter { !named.contains($0.value) && !$0.key.isOwnReference }
      .map { (name: $0.key.relativeName, place: $0.value) }
      .sorted { TextBytes.compare($0.name, $1.name) < 0 }.map(\.place)
    let hashed = named.union(includedIDs)
    let hidden = query.orderings.map(\.expression).filter { value in
      !value.isRank && (value.isTimed || !RelationshipDependency.all(in: [value]).isEmpty)
        && places[value].map(hashed.contains) != true
    }
    hiddenSortValues =
      hidden.isEmpty ? nil : FeedHash(ofRowsWith: hidden.map(\.relativeName)).value
    expressions = values + [query.filter].compactMap { $0 }
    reads = RelationshipDependency.all(in: expressions)
    shared = SharedReads(of: expressions)
    hasDecidingReads =
      (query.fullOrder.map(\.expression) + [query.filter, title].compactMap { $0 })
      .contains { !RelationshipDependency.all(in: [$0]).isEmpty || $0.isRank }
    includedReads = RelationshipDependency.all(in: query.includedValues)
    shownReads = includedReads.filter { read in !deciding.contains { $0.covers(read) } }
    let foreign = Set(reads.flatMap { $0.steps.map(\.target) })
    // If the query reads other objects of its own entity, each object of that entity may concern
    // it, whatever its own values are.
    watched =
      foreign.contains(query.entity) || query.isRanked
      ? nil : query.filter.flatMap(WatchedPredicate.init)
    entities = watched == nil ? foreign.union([query.entity]) : foreign
  }

  private struct WeakMemo: Sendable {
    weak let memo: FeedHashMemo?
  }

  /// Returns the memo of hashes that the feeds of the plan's results share.
  func hashMemo() -> FeedHashMemo {
    memo.withLock { held in
      if let memo = held.memo { return memo }
      let memo = FeedHashMemo()
      held = WeakMemo(memo: memo)
      return memo
    }
  }

  // MARK: Rows

  /// True if the result changes as time passes.
  var isTimed: Bool { !times.isEmpty }

  /// Returns the prepared filter and values at a time, which only a plan with conditions of time
  /// needs.
  func evaluation(at time: PinnedTime?) -> RowEvaluation {
    if let evaluation { return evaluation }
    guard let instant = time?.instant else {
      preconditionFailure("A result that changes with time is evaluated at no instant")
    }
    if let last = pinned.withLock({ $0 }), last.instant == instant { return last.evaluation }
    let next = RowEvaluation(
      query.filter?.pinned(at: instant), values.map { $0.pinned(at: instant) }, of: query.entity)
    pinned.withLock { $0 = (instant, next) }
    return next
  }

  /// Returns the row of the result for an object, or nil if the filter excludes it.
  func row(_ row: EntityRow, reading reader: any StorageReader) throws -> ResultRow? {
    try self.row(row, evaluation(at: nil), reading: reader)
  }

  func row(
    _ row: EntityRow, _ evaluation: RowEvaluation, reading reader: any StorageReader
  ) throws -> ResultRow? {
    guard try evaluation.filter?.isTrueUnchecked(of: row, reading: reader) ?? true else {
      return nil
    }
    return try resultRow(row, evaluation, reading: reader)
  }

  func meetsFilter(_ row: EntityRow, reading reader: any StorageReader) throws -> Bool {
    try evaluation(at: nil).filter?.isTrueUnchecked(of: row, reading: reader) ?? true
  }

  /// Returns the row of the result for an object that belongs to it.
  func resultRow(_ row: EntityRow, reading reader: any StorageReader) throws -> ResultRow {
    try resultRow(row, evaluation(at: nil), reading: reader)
  }

  private func resultRow(
    _ row: EntityRow, _ evaluation: RowEvaluation, reading reader: any StorageReader
  ) throws -> ResultRow {
    resultRow(
      row, values: try evaluation.values.map { try $0.uncheckedValue(of: row, reading: reader) })
  }

  /// Returns the row for an object, with only those values that order it within its section, and
  /// perhaps those of the section.
  func orderRow(
    _ row: EntityRow, withSection: Bool = false, reading reader: any StorageReader
  ) throws -> ResultRow {
    let places = withSection ? orderPlaces.union(sectionPlaces) : orderPlaces
    // With its section, the row is compared with one that has all values. Each of them may be nil
    // or an empty list, and none of them is a list that has an empty one.
    let unread: StoredValue = withSection ? .list([.list([])]) : .null
    let readers = evaluation(at: nil).values
    return resultRow(
      row,
      values: try readers.indices.map {
        places.contains($0) ? try readers[$0].uncheckedValue(of: row, reading: reader) : unread
      })
  }

  /// Returns the row of the result for an object that belongs to it, whose values have been read.
  func resultRow(_ row: EntityRow, values: [StoredValue]) -> ResultRow {
    ResultRow(row: row, values: values.isEmpty ? nil : RowValues(values, hiding: rankPlaces))
  }

  /// True if values besides the object's own come with each row.
  var hasIncludedValues: Bool { !includedPlaces.isEmpty }

  /// Returns the values that come with a row besides the object's own.
  func includedValues(of row: ResultRow) -> [QueryExpression: StoredValue] {
    includedPlaces.compactMapValues { row.values?.all[$0] }
  }

  func sectionKey(of row: ResultRow) -> SectionKey {
    guard let title else { return .only }
    return sectionKey(
      order: sectionKeys.map { $0.value(row.row, row.values) },
      title: title.value(row.row, row.values))
  }

  /// Returns the key of a section whose title is a value.
  func sectionKey(order: [StoredValue], title: StoredValue) -> SectionKey {
    SectionKey(order: order, title: text(ofTitle: title))
  }

  /// Returns the title that a value gives; null gives "".
  private func text(ofTitle title: StoredValue) -> String {
    switch title {
    case .null: ""
    case .integer(let number) where query.titlesAreTruths: number == 0 ? "false" : "true"
    default: title.description
    }
  }

  // MARK: Order

  /// Returns true if a row comes after another with the same prefix, or is the same.
  func comesNoEarlier(_ a: ResultRow?, _ b: ResultRow) -> Bool {
    guard let a else { return true }
    return order.compare(a.row, a.values, b.row, b.values, areTied: true) >= 0
  }

  /// Returns true if a row comes before another with the same prefix.
  func comesEarlier(_ a: ResultRow?, _ b: ResultRow?) -> Bool {
    guard let a, let b else { return false }
    return order.compare(a.row, a.values, b.row, b.values, areTied: true) < 0
  }

  /// Returns true if a row comes before another one in the order of the whole result.
  func isBefore(_ a: ResultRow, _ b: ResultRow) -> Bool {
    if title != nil {
      let order = compare(sectionKey(of: a), sectionKey(of: b))
      if order != 0 { return order < 0 }
    }
    return order.compare(a.row, a.values, b.row, b.values) < 0
  }

  /// Returns true if a new version of a row keeps its section, the section's title, and its place
  /// among the other rows.
  func staysInPlace(_ old: ResultRow, _ new: ResultRow) -> Bool {
    order.compare(old.row, old.values, new.row, new.values) == 0 && haveEqualSections(old, new)
  }

  /// Returns the same for versions whose prefixes are equal.
  func staysTied(_ old: ResultRow, _ new: ResultRow) -> Bool {
    order.compare(old.row, old.values, new.row, new.values, areTied: true) == 0
      && haveEqualSections(old, new)
  }

  /// Returns true if two rows have equal section keys.
  ///
  /// It makes no key. It makes the titles only if the titles' values differ, or if equal values may
  /// have different titles.
  func haveEqualSections(_ a: ResultRow, _ b: ResultRow) -> Bool {
    guard let title else { return true }
    for key in sectionKeys where key.value(a.row, a.values) != key.value(b.row, b.values) {
      return false
    }
    let (one, other) = (title.value(a.row, a.values), title.value(b.row, b.values))
    switch one {
    // Equal numbers may have different titles: 0 and -0.
    case .real, .list: break
    default: if one == other { return true }
    }
    return TextBytes.equal(text(ofTitle: one), text(ofTitle: other))
  }

  func isSameSection(_ a: ResultRow, _ b: ResultRow) -> Bool {
    sectionKeys.indices.allSatisfy { index in
      let key = sectionKeys[index]
      return sectionOrder[index].compare(
        key.value(a.row, a.values), key.value(b.row, b.values)) == 0
    }
  }

  /// Returns a negative number, 0 or a positive number if section `a` is before, at or after `b`.
  func compare(_ a: SectionKey, _ b: SectionKey) -> Int {
    for index in sectionOrder.indices {
      let order = sectionOrder[index].compare(a.order[index], b.order[index])
      if order != 0 { return order }
    }
    return 0
  }
}

extension QueryExpression {
  /// True for the id of an object that the query's object refers to.
  ///
  /// That object exists, unless the reference is late-bound.
  fileprivate var isOwnReference: Bool {
    guard case .attribute(let path) = self, let step = path.steps.first, path.steps.count == 1,
      path.column == step.target.identity
    else { return false }
    return step.source.columns[step.column].reference?.isLateBound == false
  }
}
