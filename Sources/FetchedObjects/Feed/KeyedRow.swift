@_spi(Storage) package import EntityStore

/// A row of a list for clients that keep rows by their ids and know of no positions.
///
/// Its fields have different names, and the id is one of them.
package struct KeyedRow: Sendable {
  /// A value with its name.
  package struct Field: Sendable, Hashable {
    package let name: String
    package let value: StoredValue

    package init(name: String, value: StoredValue) { (self.name, self.value) = (name, value) }
  }

  package let id: StoredValue
  package let fields: [Field]

  /// Returns the id, and those fields that have another value in `old` or that it doesn't have.
  ///
  /// A field that only `old` has becomes null.
  package func changes(since old: KeyedRow) -> [Field] {
    var former = Dictionary(old.fields.map { ($0.name, $0.value) }) { first, _ in first }
    var changed: [Field] = []
    for (place, field) in fields.enumerated() {
      let value = former.removeValue(forKey: field.name)
      if place == 0 || value != field.value { changed.append(field) }
    }
    return changed + former.keys.sorted().map { Field(name: $0, value: .null) }
  }
}

/// Makes the rows of a plan's results for clients that keep them by their ids.
///
/// A row begins with its id. Then come its content, the values that it is sorted by, and its
/// section as `$section` and `$sectionTitle`, since such a client sorts its rows alone.
struct KeyedRows {
  private let plan: ResultPlan
  private let content: ((ResultRow, ResultPlan) -> FeedValues)?
  private let idName: String

  init(_ plan: ResultPlan, _ content: ((ResultRow, ResultPlan) -> FeedValues)?) {
    self.plan = plan
    self.content = content
    idName = plan.query.entity.columns[plan.query.entity.identity].name
  }

  func callAsFunction(_ row: ResultRow) -> KeyedRow {
    var fields = [KeyedRow.Field(name: idName, value: row.id)]
    var names: Set<String> = [idName]
    func add(_ name: String, _ value: StoredValue) {
      if names.insert(name).inserted { fields.append(KeyedRow.Field(name: name, value: value)) }
    }
    if let content {
      for (name, value) in content(row, plan).values.sorted(by: { $0.key < $1.key }) {
        add(name, value)
      }
    } else {
      for (column, value) in row.row.values.enumerated() {
        add(plan.query.entity.columns[column].name, value)
      }
      for named in plan.included.namedValues {
        add(named.name, row.values?.all[named.place] ?? .null)
      }
    }
    for sorted in plan.sortValues { add(sorted.name, sorted.key.value(row.row, row.values)) }
    if !plan.sectionOrder.isEmpty {
      let key = plan.sectionKey(of: row)
      add("$section", key.identity)
      add("$sectionTitle", .text(key.title))
    }
    return KeyedRow(id: row.id, fields: fields)
  }
}
