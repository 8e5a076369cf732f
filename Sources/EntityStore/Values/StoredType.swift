/// The kind of column a value is stored in.
public enum StoredType: String, Sendable, Hashable, Codable {
  /// `StoredValue.integer`
  case integer
  /// `StoredValue.real`
  case real
  /// `StoredValue.text`
  case text
  /// `StoredValue.bytes`
  case bytes
  /// `StoredValue.list`: a composite id, whose parts are columns of their own.
  case list
}
