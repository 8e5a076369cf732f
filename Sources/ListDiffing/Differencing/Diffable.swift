/// A value that has an identity in a list, and that can be compared with its earlier version.
///
///     struct Car: Identifiable, Equatable, Diffable {
///       let id: Int
///       var model: String
///     }
///     Car(id: 1, model: "Golf").diffIdentifier  // 1
///     Car(id: 1, model: "Golf").isContentEqual(to: Car(id: 1, model: "Polo"))  // false
///
/// Two values with the same identifier are the same row. If their content differs, too, the row is
/// updated.
///
/// An identifier should be stable and unique in its list, like a primary key. "First name and last
/// name" is neither: a rename becomes a delete and an insert. Content should be exactly what a row
/// shows, so that an invisible change causes no work.
///
/// A type that is only `Hashable` can declare `var diffIdentifier: Self { self }`. Its rows are
/// never updated: a change turns the value into another row.
///
/// Conform value types. A class instance that is edited in place is its own earlier version, so no
/// change to it can be detected.
public protocol Diffable {
  /// The type of the value that distinguishes one row from another.
  associatedtype DiffIdentifier: Hashable & Sendable

  /// The identity of the row, stable over its life.
  var diffIdentifier: DiffIdentifier { get }

  /// Returns true if the row would look the same for `other`, a value with the same identifier.
  func isContentEqual(to other: Self) -> Bool
}

extension Diffable where Self: Identifiable, ID: Sendable {
  /// The identity of the row: its `id`.
  @inlinable
  public var diffIdentifier: ID { id }
}

extension Diffable where Self: Equatable {
  /// Returns true if the two values are equal.
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
