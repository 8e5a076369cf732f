@_spi(Storage) package import EntityStore

/// A row of a list for clients that keep rows by their ids and know of no positions.
package struct KeyedRow: Sendable {
  /// A value with its name.
  package struct Field: Sendable, Hashable {
    package let name: String
    package let value: StoredValue

    package init(name: String, value: StoredValue) { (self.name, self.value) = (name, value) }
  }

  package let id: StoredValue
  /// The names of the values, each once; the first one is that of the id.
  ///
  /// Rows of one query usually share them.
  package let names: [String]
  package let values: [StoredValue]

  /// The id, or the content's own value in its place.
  var idField: Field { Field(name: names[0], value: values[0]) }

  package var fields: [Field] { zip(names, values).map { Field(name: $0, value: $1) } }

  /// Returns the id's field, and the fields that differ from `old` or that `old` lacks.
  ///
  /// A field that only `old` has becomes null. With `isSameQuery`, both rows have the same names.
  func changes(since old: KeyedRow, isSameQuery: Bool) -> [Field] {
    var changed = [idField]
    if isSameQuery {
      for place in values.indices.dropFirst() where values[place] != old.values[place] {
        changed.append(Field(name: names[place], value: values[place]))
      }
      return changed
    }
    var former = Dictionary(zip(old.names, old.values)) { first, _ in first }
    for (name, value) in zip(names, values).dropFirst() {
      if former.removeValue(forKey: name) != value {
        changed.append(Field(name: name, value: value))
      }
    }
    former[names[0]] = nil
    return changed + former.keys.sorted().map { Field(name: $0, value: .null) }
  }
}
