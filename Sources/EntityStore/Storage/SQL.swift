internal import Locking

/// A statement in SQL, whose values are parameters.
///
///     let sql: SQL = """
///       SELECT \(\Car.model), COUNT(*) AS count FROM \(Car.self)
///       WHERE \(\Car.year) > \(1990) GROUP BY 1
///       """
///
/// It is written as a literal. An interpolated value is bound and never becomes part of the text.
/// So text from elsewhere can't change what the statement does. An entity becomes the quoted name
/// of its table, and a property that of its column. A list of values is written
/// `\(values: ids)`, in parentheses of the statement: `IN (\(values: ids))`.
public struct SQL: Hashable, Sendable {
  /// The text, with `?` for each value.
  public let text: String
  /// The values, in the order of the text.
  public let parameters: [StoredValue]
  /// The entities whose tables are interpolated.
  let entities: [EntityDescription]
}

extension SQL: ExpressibleByStringInterpolation {
  /// Creates a statement without values.
  public init(stringLiteral text: String) { (self.text, parameters, entities) = (text, [], []) }

  /// Creates a statement of a literal and its values.
  public init(stringInterpolation parts: StringInterpolation) {
    (text, parameters, entities) = (parts.text, parts.parameters, parts.entities)
  }

  /// The parts of a statement while it is put together.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var parameters: [StoredValue] = []
    fileprivate var entities: [EntityDescription] = []

    /// Creates an empty statement.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 2 * interpolationCount)
    }

    /// Adds a part of the literal.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Adds a value as a parameter.
    ///
    /// It stands outside of quotes: `name = \(name)`. NaN is refused when the statement is read.
    ///
    /// - Precondition: it isn't a composite id, whose parts are values of their own.
    public mutating func appendInterpolation(_ value: some Storable) { add(value.storedValue) }

    /// Adds a list of values as parameters, with commas between them.
    ///
    /// - Precondition: none of them is a composite id.
    public mutating func appendInterpolation(values: some Sequence<some Storable>) {
      var isFirst = true
      for value in values {
        if !isFirst { text += ", " }
        isFirst = false
        add(value.storedValue)
      }
    }

    /// Adds the quoted name of an entity's table.
    public mutating func appendInterpolation<E: Entity>(_ entity: E.Type) {
      text += SQL.quoted(E.schema.entity.name)
      entities.append(E.schema.entity)
    }

    /// Adds another statement, or a part of one, with its values.
    public mutating func appendInterpolation(_ sql: SQL) {
      text += sql.text
      parameters += sql.parameters
      entities += sql.entities
    }

    /// Adds the quoted name of a property's column.
    ///
    /// - Precondition: the property is an attribute. It isn't a composite id, which has a column
    ///   for each part.
    public mutating func appendInterpolation<E: Entity, Value>(_ property: KeyPath<E, Value>) {
      let entity = E.schema.entity
      let column = entity.columns[entity.column(property)]
      mustHold(
        column.type != .list,
        "\(entity.name).\(column.name) is a composite id; write the names of its columns")
      text += SQL.quoted(column.name)
    }

    private mutating func add(_ value: StoredValue) {
      if case .list = value {
        mistake("A composite id can't be one parameter of SQL; write each of its parts")
      }
      text += "?"
      parameters.append(value)
    }
  }
}

extension SQL {
  package static func quoted(_ name: String) -> String { enclosed(name, "\"") }

  /// Returns a name as a text in quotes.
  package static func literal(_ name: String) -> String { enclosed(name, "'") }

  private static func enclosed(_ name: String, _ quote: Unicode.Scalar) -> String {
    // Works on scalars: a quote with a combining mark is a different Character, but still a quote.
    var enclosed = String(quote).unicodeScalars
    for scalar in name.unicodeScalars {
      if scalar == quote { enclosed.append(scalar) }
      enclosed.append(scalar)
    }
    enclosed.append(quote)
    return String(enclosed)
  }
}

extension SQL: CustomStringConvertible {
  /// The text, and then the values.
  public var description: String {
    parameters.isEmpty
      ? text : text + " with " + parameters.map(\.literal).joined(separator: ", ")
  }
}
