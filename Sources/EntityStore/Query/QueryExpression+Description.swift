@_spi(Storage) extension QueryExpression: CustomStringConvertible {
  /// The expression in the form of Swift, such as `Car.year > 1990 && Car.owner.name == "Ann"`.
  public var description: String {
    switch self {
    case .attribute(let path): path.description
    case .constant(let value): value.brief
    case .comparison(let comparison, let a, let b):
      "\(a.operand) \(comparison.sign) \(b.operand)"
    case .moment(let comparison, let path, let moment):
      "\(path) \(comparison.sign) \(moment)"
    case .isIn(let value, let values):
      "\(value.operand).in([\(values.map(\.brief).listedPlainly(atMost: 20))])"
    case .text(let test, let text, let part, let folding):
      "\(text.operand).\(test.method)(\(part)\(folding.argument))"
    case .matches(let path, let pattern):
      "\(path).matches(\(StoredValue.text(pattern.description).brief))"
    case .and(let parts): Self.joined(parts, by: " && ", none: "true")
    case .or(let parts): Self.joined(parts, by: " || ", none: "false")
    case .not(let part): "!\(part.operand)"
    case .count(let path, let condition):
      "\(path).count" + (condition.map { " { \($0) }" } ?? "")
    case .related(let aggregate, let path, let value, let condition):
      "\(path)" + (condition.map { ".filter { \($0) }" } ?? "")
        + ".\(aggregate.method)\(aggregate.order) { \(value) }"
    case .rank(let path, let pattern):
      "\(path).rank(of: \(StoredValue.text(pattern.description).brief))"
    case .computed(let computation, let operands):
      computation.sign.map { Self.joined(operands, by: " \($0) ", none: "") }
        ?? "\(operands[0].operand).\(computation.method)"
    }
  }

  /// The expression as an operand of another one.
  private var operand: String {
    switch self {
    case .attribute, .constant, .isIn, .text, .matches, .not, .count, .related, .rank: description
    case .and(let parts) where parts.count < 2, .or(let parts) where parts.count < 2: description
    case .computed(let computation, _) where computation.sign == nil: description
    case .comparison, .moment, .and, .or, .computed: "(\(self))"
    }
  }

  private static func joined(_ parts: [QueryExpression], by sign: String, none: String) -> String {
    if parts.isEmpty { return none }
    return parts.count == 1 ? parts[0].description : parts.map(\.operand).joined(separator: sign)
  }
}

extension Comparison {
  package var sign: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

extension Computation {
  /// The operator, or nil for a method of one operand.
  fileprivate var sign: String? {
    switch self {
    case .plus, .joined: "+"
    case .minus: "-"
    case .times: "*"
    case .dividedBy: "/"
    case .firstValue: "??"
    default: nil
    }
  }

  fileprivate var method: String {
    switch self {
    case .real: "asDouble"
    case .text: "asString"
    case .prefix(let count): "prefix(\(count))"
    case .custom(let custom): custom.name
    default: "\(self)"
    }
  }
}

extension RelatedAggregate {
  fileprivate var method: String {
    switch self {
    case .wholeSum, .realSum: "sum"
    case .average: "average"
    case .least: "min"
    case .greatest: "max"
    case .list: "values"
    }
  }

  fileprivate var order: String {
    guard case .list(let keys) = self, !keys.isEmpty else { return "" }
    return "(by: \(keys.map(\.description).joined(separator: "; ")))"
  }
}

extension TextTest {
  fileprivate var method: String {
    switch self {
    case .prefix: "hasPrefix"
    case .suffix: "hasSuffix"
    case .infix: "contains"
    case .whole: "equals"
    }
  }
}

extension TextFolding {
  fileprivate var argument: String {
    switch self {
    case []: ""
    case .case: ", ignoring: .case"
    case .diacritics: ", ignoring: .diacritics"
    default: ", ignoring: [.case, .diacritics]"
    }
  }
}

extension StoredValue {
  /// The value as it is written in Swift.
  package var literal: String { ObjectIDScanner.literal(self) }
}

@_spi(Storage) extension ManyPath: CustomStringConvertible {
  /// The path to the owner, followed by the reference, such as `[Car.owner]`.
  public var description: String {
    ([root.name] + steps.map { $0.source.columns[$0.column].name }).joined(separator: ".")
      + "[\(target.name).\(target.columns[column].name)]"
  }
}

@_spi(Storage) extension SortKey: CustomStringConvertible {
  /// The key as text, such as `Car.owner.name ascending, natural`.
  public var description: String {
    var words = "\(expression) \(isAscending ? "ascending" : "descending")"
    switch collation {
    case .stored: break
    case .caseInsensitive: words += ", case-insensitive"
    case .natural: words += ", natural"
    case .custom(let custom): words += ", by \(custom.name)"
    }
    if nilsFirst != isAscending { words += nilsFirst ? ", nil first" : ", nil last" }
    return words
  }
}

@_spi(Storage) extension QueryDescription: CustomStringConvertible {
  /// The query in one line.
  public var description: String {
    var parts = [entity.name]
    if let filter { parts.append("where \(filter)") }
    if !orderings.isEmpty {
      parts.append("by \(orderings.map(\.description).joined(separator: "; "))")
    }
    switch sectioning {
    case nil: break
    case .key(let key): parts.append("in sections by \(key)")
    case .parts(let identity, let title, let order):
      parts.append("in sections by \(identity), titled \(title), in the order of \(order)")
    }
    let included = included.map(\.description) + includedComputed.map(\.description)
    if !included.isEmpty { parts.append("with \(included.joined(separator: ", "))") }
    if !aggregated.isEmpty {
      parts.append("aggregating \(aggregated.map(\.description).joined(separator: ", "))")
    }
    if let limit { parts.append(isFromEnd ? "the last \(limit)" : "at most \(limit)") }
    if offset > 0 { parts.append("\(isFromEnd ? "before the last" : "after") \(offset)") }
    return parts.joined(separator: " ")
  }
}
