/// A condition of a query, and whether it is true of an object.
///
///     print(inspector.reasons(for: car, inList: id)?.filter)
///     // true: Car.year > 1990 && Car.owner.name == "Ann"
public struct Reason: Sendable, Hashable {
  /// The condition, as Swift writes it.
  public let condition: String
  /// True if the condition is true of the object.
  ///
  /// It is false if a sum that decides it is beyond `Int`. A list that needs this sum has an error.
  public let isTrue: Bool
  /// The way in which the parts make the condition, or nil if it has none.
  public let combination: Combination?
  /// The values that it compares, such as `Car.year` and 1991, as texts.
  public let values: [Value]
  /// The parts of a condition with `&&`, `||` or `!`.
  public let parts: [Reason]

  /// A way in which conditions make another one.
  public enum Combination: String, Sendable {
    /// All of them are true.
    case and
    /// One of them is true.
    case or
    /// The only one is false.
    case not
  }

  /// A value that a condition reads.
  public struct Value: Sendable, Hashable {
    /// The expression, such as `Car.owner.name`.
    public let expression: String
    /// Its value for the object, as text, or `beyond Int` for a sum that no `Int` holds.
    public let value: String
  }
}

/// The reasons why an object is in a list or isn't, by its values at the moment.
public struct Reasons: Sendable {
  /// True if the object is in the store.
  public let isStored: Bool
  /// True if the object belongs to the query.
  ///
  /// A list with a window or a limit may not show it for all that.
  public var belongs: Bool { isStored && (filter?.isTrue ?? true) }
  /// True if a model of the list shows the object now, or nil if the list keeps positions only.
  public let isShown: Bool?
  /// The filter, or nil if the query has none or the object isn't stored.
  public let filter: Reason?
  /// The values by which the object's section is chosen.
  ///
  /// There are none if the object doesn't belong to the query.
  public let section: [Reason.Value]
  /// The values by which it is sorted within its section, or none as above.
  public let order: [Reason.Value]
}
