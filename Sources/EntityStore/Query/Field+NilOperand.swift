extension Field {
  /// The operand of `== nil` and `!= nil`.
  ///
  ///     query.filter { $0.year != nil }
  public struct NilOperand: ExpressibleByNilLiteral, Sendable {
    /// Creates the operand from `nil`.
    public init(nilLiteral: ()) {}
  }
}
