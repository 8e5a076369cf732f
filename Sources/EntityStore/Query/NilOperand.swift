/// The operand of `== nil` and `!= nil`.
public struct NilOperand: ExpressibleByNilLiteral, Sendable {
  /// Nil.
  public init(nilLiteral: ()) {}
}
