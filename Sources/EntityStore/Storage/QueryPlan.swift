/// The way in which a storage answers a query.
///
/// A part is done by the storage's own language. The rest is done here, for the rows that the
/// storage selects.
///
///     print(try query.plan(in: store))
///     // SQL: SELECT … FROM "Car" AS t0 WHERE (t0."year" > ?) with 1990
///     //   SEARCH t0 USING INDEX signalbox_index on "Car" "year" (year>?)
///     // here: Car.model.contains("é", ignoring: .diacritics), for each row that SQL gives
///     // here: the order by Car.model ascending, natural
///
/// The work that is done here has a cost for each row that the storage returns. An index, or a
/// condition that the storage's language can express, reduces the number of these rows.
@_spi(Storage) @_spi(Inspection) public struct QueryPlan: Sendable, CustomStringConvertible {
  /// The name of the storage's language, or nil if it has none and everything is done here.
  public let language: String?
  /// The statement in the storage's language.
  public let statement: String
  /// The values of the statement's parameters, in order.
  public let parameters: [StoredValue]
  /// The steps of the storage, a line for each table: by which index, or through all rows.
  public let steps: [String]
  /// The conditions that are checked here, for each row that the storage returns.
  public let conditionsHere: [String]
  /// The order that is made here, or nil if the rows arrive in it.
  public let orderHere: String?
  /// The values beside the object that are computed here, for each row of the result.
  public let valuesHere: [String]
  /// True if the limit and the offset are applied here, so that the storage returns all rows.
  public let isLimitedHere: Bool

  /// True if the storage does everything.
  public var isWhollySaid: Bool {
    language != nil && conditionsHere.isEmpty && orderHere == nil && valuesHere.isEmpty
      && !isLimitedHere
  }

  /// Creates the plan of a storage that expresses some parts of a request in its language.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - language: the language's name.
  ///   - statement: the statement in the language.
  ///   - parameters: the values of the statement's parameters.
  ///   - steps: the steps of the storage.
  ///   - conditionsHere: the conditions that the storage doesn't check.
  ///   - isSorted: true if the storage returns the rows in the request's order.
  ///   - valuesHere: the values that the storage doesn't return.
  ///   - isLimited: true if the storage applies the request's limit.
  public init(
    of request: FetchPlan, language: String, statement: String, parameters: [StoredValue],
    steps: [String], conditionsHere: [QueryExpression], isSorted: Bool,
    valuesHere: [QueryExpression], isLimited: Bool
  ) {
    self.language = language
    self.statement = statement
    self.parameters = parameters
    self.steps = steps
    self.conditionsHere = conditionsHere.map(\.description)
    orderHere = isSorted ? nil : request.describedOrder
    self.valuesHere = valuesHere.map(\.description)
    isLimitedHere = !isLimited && request.isLimited
  }

  /// Creates the plan of a storage without a language.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - steps: the steps by which the storage finds the rows.
  public init(of request: FetchPlan, steps: [String] = []) {
    language = nil
    statement = ""
    parameters = []
    self.steps = steps
    conditionsHere = request.filter.map { [$0.description] } ?? []
    orderHere = request.order.isEmpty ? nil : request.describedOrder
    valuesHere = request.values.map(\.description)
    isLimitedHere = request.isLimited
  }

  /// The parts, a line for each.
  public var description: String {
    var lines: [String] = []
    if let language {
      let values = parameters.map(\.literal).joined(separator: ", ")
      lines.append("\(language): \(statement)" + (values.isEmpty ? "" : " with \(values)"))
    }
    lines += steps.map { "  \($0)" }
    lines += conditionsHere.map { condition in
      "here: \(condition)" + (language.map { ", for each row that \($0) gives" } ?? "")
    }
    if let orderHere { lines.append("here: the order by \(orderHere)") }
    if isLimitedHere { lines.append("here: the limit") }
    lines += valuesHere.map { "here: the value of \($0)" }
    return lines.joined(separator: "\n")
  }
}

extension FetchPlan {
  fileprivate var describedOrder: String { order.map(\.description).joined(separator: ", ") }
  fileprivate var isLimited: Bool { limit != nil || offset > 0 }
}

@_spi(Storage) extension StorageReader {
  /// Returns a plan in which everything is done here.
  ///
  /// - Throws: no error.
  public func explain(_ request: FetchPlan) throws -> QueryPlan { QueryPlan(of: request) }
}
