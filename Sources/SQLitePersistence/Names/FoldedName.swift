internal import EntityStore

/// A name as SQLite compares it: by its bytes, with ASCII letters folded and no others.
struct FoldedName: Hashable {
  private let bytes: [UInt8]

  /// The name in lower case.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  init(_ name: String) { bytes = Array(SQLName.folded(name).utf8) }
}
