extension Computation {
  /// Returns the result for the values of the operands.
  ///
  /// A whole number that doesn't fit, a number that isn't one, and a quotient by 0 are nil.
  func callAsFunction(_ a: StoredValue, _ b: StoredValue = .null) -> StoredValue {
    switch (self, a, b) {
    case (.firstValue, _, _): a.isNull ? b : a
    case (.text, .integer(let number), _): .text(String(number))
    case (.joined, .text(let a), .text(let b)): .text(a + b)
    case (_, .integer(let a), .integer(let b)): whole(a, b).map(StoredValue.integer) ?? .null
    case (_, .real(let a), .real(let b)): real(a, b)
    case (.real, .integer(let number), _): .real(Double(number))
    case (.lowercased, .text(let text), _): .text(text.lowercased())
    case (.uppercased, .text(let text), _): .text(text.uppercased())
    case (.prefix(let count), .text(let text), _): .text(String(text.prefix(count)))
    case (.custom(let custom), _, _): a.isNull ? .null : custom.compute(a)
    default: .null
    }
  }

  private func whole(_ a: Int64, _ b: Int64) -> Int64? {
    let (result, overflows) =
      switch self {
      case .plus: a.addingReportingOverflow(b)
      case .minus: a.subtractingReportingOverflow(b)
      case .times: a.multipliedReportingOverflow(by: b)
      case .dividedBy: a.dividedReportingOverflow(by: b)
      default: (0, true)
      }
    // A client reads the result as an `Int`, which may have 32 bits.
    return overflows ? nil : Int(exactly: result).map(Int64.init)
  }

  private func real(_ a: Double, _ b: Double) -> StoredValue {
    let result: Double =
      switch self {
      case .plus: a + b
      case .minus: a - b
      case .times: a * b
      case .dividedBy: b == 0 ? .nan : a / b
      default: .nan
      }
    return result.isNaN ? .null : result.storedValue
  }
}
