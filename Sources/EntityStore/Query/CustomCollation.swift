/// An order of the app's own over stored forms; equal where it is the same object.
public final class CustomCollation: Hashable, Sendable {
  /// The name of the order in messages.
  public let name: String
  let compare: @Sendable (StoredValue, StoredValue) -> Int

  init(name: String, compare: @escaping @Sendable (StoredValue, StoredValue) -> Int) {
    self.name = name
    self.compare = compare
  }

  /// True if they are the same object.
  public static func == (a: CustomCollation, b: CustomCollation) -> Bool { a === b }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
