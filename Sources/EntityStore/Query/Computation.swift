/// The way in which a value is computed from others, as data.
///
///     Query<Order>().filter { $0.price * $0.pieces > 100 }  // .times
///
/// The result is nil if an operand is nil, except that of `firstValue`.
@_spi(Storage) public enum Computation: Hashable, Sendable {
  /// The sum of two numbers of one kind.
  case plus
  /// The difference of two numbers of one kind.
  case minus
  /// The product of two numbers of one kind.
  case times
  /// The quotient of two numbers of one kind; nil if the divisor is 0.
  ///
  /// That of whole numbers is rounded toward 0.
  case dividedBy
  /// The whole number as a number with a fraction, rounded to the nearest one.
  case real
  /// The first operand, or the second one if the first is nil.
  case firstValue
  /// The whole number as text, in decimal digits.
  case text
  /// The two texts, one after the other.
  case joined
  /// The text in lower case, by the rules of Unicode and of no language.
  case lowercased
  /// The text in upper case, by the rules of Unicode and of no language.
  case uppercased
  /// The first characters of the text, at most so many.
  case prefix(Int)
  /// A function of one value.
  case custom(CustomComputation)
}

/// A function of one value that another module defines.
///
/// Two of them are equal if their identities are.
@_spi(Storage) public struct CustomComputation: Hashable, Sendable {
  /// The function in messages, such as `start(of: day)`.
  public let name: String
  private let identity: any Hashable & Sendable
  let compute: @Sendable (StoredValue) -> StoredValue

  /// Creates a function; `identity` is everything on which the result depends beside the operand.
  ///
  /// `compute` isn't called with nil, and its result isn't NaN.
  package init(
    name: String, identity: some Hashable & Sendable,
    compute: @escaping @Sendable (StoredValue) -> StoredValue
  ) {
    self.name = name
    self.identity = identity
    self.compute = compute
  }

  /// Returns true if the identities are equal.
  public static func == (a: CustomComputation, b: CustomComputation) -> Bool {
    a.name == b.name && AnyHashable(a.identity) == AnyHashable(b.identity)
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(AnyHashable(identity))
  }
}
