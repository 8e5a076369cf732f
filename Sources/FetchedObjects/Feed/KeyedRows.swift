@_spi(Storage) internal import EntityStore

/// Makes the rows of a plan's results for clients that keep them by their ids.
///
/// A row begins with its id. Then come its content, the values that it is sorted by, and its
/// section as `$section` and `$sectionTitle`, since such a client sorts its rows alone.
struct KeyedRows: Sendable {
  /// The source of a value of a row.
  private enum Source: Sendable {
    case column(Int)
    case kept(Int)
    case key(RowKey)
    case section
    case sectionTitle
  }

  let plan: ResultPlan
  private let content: (@Sendable (ResultRow, ResultPlan) -> FeedValues)?
  /// The names and sources of a row's values, but for those of a custom content.
  private var names: [String] = []
  private var sources: [Source] = []

  /// True if all rows have the same names.
  var hasFixedNames: Bool { content == nil }

  init(_ plan: ResultPlan, _ content: (@Sendable (ResultRow, ResultPlan) -> FeedValues)?) {
    self.plan = plan
    self.content = content
    let entity = plan.query.entity
    var known: Set<String> = []
    func add(_ name: String, _ source: Source) {
      guard known.insert(name).inserted else { return }
      names.append(name)
      sources.append(source)
    }
    add(entity.columns[entity.identity].name, .column(entity.identity))
    if content == nil {
      for (place, column) in entity.columns.enumerated() { add(column.name, .column(place)) }
      for named in plan.included.namedValues { add(named.name, .kept(named.place)) }
    }
    for sorted in plan.sortValues { add(sorted.name, .key(sorted.key)) }
    if !plan.sectionOrder.isEmpty {
      add("$section", .section)
      add("$sectionTitle", .sectionTitle)
    }
  }

  func callAsFunction(_ row: ResultRow) -> KeyedRow {
    let section = plan.sectionOrder.isEmpty ? nil : plan.sectionKey(of: row)
    let values = sources.map { source -> StoredValue in
      switch source {
      case .column(let column): row.row.value(at: column)
      case .kept(let place): row.values?.all[place] ?? .null
      case .key(let key): key.value(row.row, row.values)
      case .section: section?.identity ?? .null
      case .sectionTitle: .text(section?.title ?? "")
      }
    }
    guard let content else { return KeyedRow(id: row.id, names: names, values: values) }
    return customRow(row, values, content(row, plan))
  }

  /// Returns the field by which a client knows a row's object.
  func idField(_ row: ResultRow) -> KeyedRow.Field {
    let own = content?(row, plan)[names[0]]
    return KeyedRow.Field(name: names[0], value: own ?? row.id)
  }

  /// Returns a row with the app's content after the id.
  ///
  /// If the content has a value under one of `names`, that value is used. This also holds for the
  /// id's name.
  private func customRow(
    _ row: ResultRow, _ values: [StoredValue], _ content: FeedValues
  ) -> KeyedRow {
    var all = [(name: names[0], value: content[names[0]] ?? row.id)]
    all += content.values.filter { $0.key != names[0] }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
    all += zip(names, values).dropFirst().filter { content[$0.0] == nil }.map { ($0, $1) }
    return KeyedRow(id: row.id, names: all.map(\.name), values: all.map(\.value))
  }
}
