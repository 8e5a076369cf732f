/// The kind of column in which a value is stored.
///
///     Int.storedType  // .integer
///     String.storedType  // .text
public enum StoredType: String, Sendable, Hashable, Codable {
  /// The type of `StoredValue.integer`.
  case integer
  /// The type of `StoredValue.real`.
  case real
  /// The type of `StoredValue.text`.
  case text
  /// The type of `StoredValue.bytes`.
  case bytes
  /// The type of `StoredValue.list`: a composite id, each of whose parts has its own column.
  case list
}
