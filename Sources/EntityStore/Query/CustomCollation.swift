/// A custom order of stored forms, as a ``ValueComparator`` makes it.
///
///     ValueComparator<String>("size") { $0.count < $1.count }
///
/// Two of them are equal if they are the same object.
@_spi(Storage) public final class CustomCollation: Hashable, Sendable {
  /// The name of the order in messages.
  public let name: String
  let compare: @Sendable (StoredValue, StoredValue) -> Int

  init(name: String, compare: @escaping @Sendable (StoredValue, StoredValue) -> Int) {
    self.name = name
    self.compare = compare
  }

  /// Returns true if both are the same object.
  public static func == (a: CustomCollation, b: CustomCollation) -> Bool { a === b }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
