@_spi(Storage) public import EntityStore
internal import Locking

/// The plain content of a feed's row: the object's attributes by name, the included values of other
/// objects by the path to them, and computed values by their description.
///
///     page: {"hash": "…", "content": {"id": 1, "model": "Volvo", "owner": 1, "owner.name": "Ann"}}
///     row.content["model"]              // .text("Volvo")
///     try row.content.value(as: Car.self)
///
/// In JSON, nil is null. Numbers and texts are numbers and strings. The parts of a composite id are
/// an array, and bytes are hexadecimal: `{"bytes": "00ff"}`. JSON has only one kind of number. So
/// `".real": ["price"]` names the values whose type has a fraction and which have none at present.
/// Each value is read exactly as it was written. If clients may not see some attributes, or if
/// bytes represent something else, give ``FetchedObjectsFeed`` custom content.
public struct FeedValues: Sendable, Hashable {
  /// The stored values by name.
  public let values: [String: StoredValue]

  /// Creates a row's content.
  public init(_ values: [String: StoredValue]) { self.values = values }

  /// Creates the content of a result's row: its attributes, and what the query includes.
  ///
  ///     FetchedObjectsFeed(of: cars, row: FeedValues.init) { page in
  ///       try JSONEncoder().encode(page)
  ///     }
  ///
  /// - Precondition: The object is one of the result, and not one that it refers to.
  public init<E: Entity>(_ view: EntityView<E>) {
    mustHold(
      view.included.isRoot,
      "\(view.included.name) is read through another object, which doesn't have the whole of it; "
        + "make a feed's row of the result's own object")
    self.init(view.result, view.included)
  }

  init(_ row: ResultRow, _ included: InclusionTree) {
    var values: [String: StoredValue] = [:]
    for value in included.namedValues { values[value.name] = row.values?.all[value.place] ?? .null }
    for (column, value) in row.row.values.enumerated() {
      values[row.row.entity.columns[column].name] = value
    }
    self.values = values
  }

  /// The value with a name, or nil if there is none.
  public subscript(name: String) -> StoredValue? { values[name] }

  /// Returns the object, for a client that knows its type.
  ///
  /// - Throws: ``/EntityStore/StoreError/unreadable(_:attribute:found:)`` if a value is missing or
  ///   doesn't have its attribute's type.
  public func value<E: Entity>(as type: E.Type) throws -> E {
    let entity = E.schema.entity
    return try entity.row(entity.columns.map { values[$0.name] ?? .null }).value(as: type)
  }
}

extension FeedValues {
  /// The values in the order of their names, and the mark of the numbers that look whole although
  /// their type has a fraction, as they are written.
  package var namesAndValues: [(name: String, value: StoredValue)] {
    var all = values.map { (name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
    let mark = Self.mark(beside: values.keys)
    let reals = all.filter { $0.value.looksWhole }.map(\.name)
    if !reals.isEmpty || mark != Self.shortestMark {
      all.append((mark, .list(reals.map { .text($0) })))
    }
    return all
  }
}

extension FeedValues: Codable {
  /// Writes the values by their names, and the names of the numbers that look whole although their
  /// type has a fraction.
  ///
  /// - Throws: The error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    let all = Dictionary(
      uniqueKeysWithValues: namesAndValues.map { ($0.name, FeedValue($0.value)) })
    var container = encoder.singleValueContainer()
    try container.encode(all)
  }

  /// Reads the values, each as it was written.
  ///
  /// - Throws: `DecodingError` if they can't be read.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    var values = try container.decode([String: FeedValue].self).mapValues(\.stored)
    let marks = values.keys.filter(Self.isMark)
    if let mark = marks.max(by: { $0.utf8.count < $1.utf8.count }),
      case .list(let names)? = values[mark]
    {
      values[mark] = nil
      for case .text(let name) in names { values[name] = values[name]?.asReal }
    }
    self.values = values
  }

  /// The name of the entry that lists the values whose type has a fraction.
  private static var shortestMark: String { ".real" }

  private static func isMark(_ name: String) -> Bool {
    name.utf8.count > 4 && name.utf8.starts(with: repeatElement(0x2E, count: name.utf8.count - 4))
      && name.utf8.suffix(4).elementsEqual("real".utf8)
  }

  /// Returns a name for that entry that no value has.
  private static func mark(beside names: some Sequence<String>) -> String {
    names.filter(isMark).reduce(shortestMark) { $1.utf8.count >= $0.utf8.count ? "." + $1 : $0 }
  }
}
