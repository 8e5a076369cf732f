/// A value that a list can tell from its neighbours and compare with its older self.
///
///     struct Car: Identifiable, Equatable, Diffable {
///       let id: Int
///       var model: String
///     }
///     Car(id: 1, model: "Golf").diffIdentifier  // 1
///     Car(id: 1, model: "Golf").isContentEqual(to: Car(id: 1, model: "Polo"))  // false
///
/// Two values with one identifier are the same row. If their content differs too, the row is updated.
///
/// An identifier should be stable and unique in its list, like a primary key. "First name and last
/// name" is neither: a rename becomes a delete and an insert. Content should be all that a row
/// shows and nothing else, so that a change nobody can see causes no work.
///
/// What is only `Hashable` can say `var diffIdentifier: Self { self }`. It is never updated then: a change makes
/// another row of it.
///
/// Conform value types. A class instance that is edited in place is its own older self,
/// so no change to it can be seen.
public protocol Diffable {
  /// What tells one row from another.
  associatedtype DiffIdentifier: Hashable & Sendable

  /// The identity of the row, stable over its life.
  var diffIdentifier: DiffIdentifier { get }

  /// Returns whether the row would look the same for `other`, a value with the same identifier.
  func isContentEqual(to other: Self) -> Bool
}

extension Diffable where Self: Identifiable, ID: Sendable {
  /// The identity of the row: its `id`.
  @inlinable
  public var diffIdentifier: ID { id }
}

extension Diffable where Self: Equatable {
  /// Returns whether the two values are equal.
  @inlinable
  public func isContentEqual(to other: Self) -> Bool { self == other }
}

/// A number is its own identifier, so a list of ids can be compared as it is.
extension Int: Diffable {
  /// The number itself.
  @inlinable
  public var diffIdentifier: Int { self }
}

/// A number is its own identifier, so a list of ids can be compared as it is.
extension Int64: Diffable {
  /// The number itself.
  @inlinable
  public var diffIdentifier: Int64 { self }
}

/// A number is its own identifier, so a list of ids can be compared as it is.
extension UInt64: Diffable {
  /// The number itself.
  @inlinable
  public var diffIdentifier: UInt64 { self }
}

/// A string is its own identifier, so a list of names can be compared as it is.
extension String: Diffable {
  /// The string itself.
  @inlinable
  public var diffIdentifier: String { self }
}
