/// How a storage answers a query: what its own language does, and what is done here, over the rows that
/// the rest selects.
///
///     print(try query.plan(in: store))
///     // SQL: SELECT … FROM "Car" AS t0 WHERE (t0."year" > ?) with 1990
///     //   SEARCH t0 USING INDEX signalbox_index on "Car" "year" (year>?)
///     // here: Car.model.contains("é", ignoring: .diacritics), for each row that SQL gives
///     // here: the order by Car.model ascending, natural
///
/// What is done here has a cost for each row that the storage gives: an index or a condition that the
/// storage's language can say makes these fewer.
public struct QueryPlan: Sendable, CustomStringConvertible {
  /// The name of the storage's language, or nil if it has none, and everything is done here.
  public let language: String?
  /// What the storage is told in its language.
  public let statement: String
  /// The values of the statement's parameters, in order.
  public let parameters: [StoredValue]
  /// How the storage goes about it, a line for each table: by which index, or through all rows.
  public let steps: [String]
  /// The conditions that are checked here, for each row that the storage gives.
  public let conditionsHere: [String]
  /// The order that is made here, or nil if the rows come in it.
  public let orderHere: String?
  /// The values beside the object that are worked out here, for each row of the result.
  public let valuesHere: [String]
  /// Whether the limit and the offset are taken here, so that the storage gives all rows.
  public let isLimitedHere: Bool

  /// Whether the storage does it all.
  public var isWhollySaid: Bool {
    language != nil && conditionsHere.isEmpty && orderHere == nil && valuesHere.isEmpty
      && !isLimitedHere
  }

  /// The plan of a storage that says some parts of a request in its language.
  ///
  /// - Parameters:
  ///   - request: what is asked for.
  ///   - language: the language's name.
  ///   - statement: what the storage is told.
  ///   - parameters: the values of its parameters.
  ///   - steps: how the storage goes about it.
  ///   - conditionsHere: the conditions that it doesn't check.
  ///   - isSorted: whether its rows come in the request's order.
  ///   - valuesHere: the values that it doesn't give.
  ///   - isLimited: whether its rows come within the request's limit.
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

  /// The plan of a storage without a language.
  ///
  /// - Parameters:
  ///   - request: what is asked for.
  ///   - steps: how the storage finds the rows.
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

extension StorageReader {
  /// All of it is done here.
  public func explain(_ request: FetchPlan) throws -> QueryPlan { QueryPlan(of: request) }
}
