internal import SQLiteLibrary
@_spi(Storage) internal import EntityStore

// Conditions that SQL's own functions can't say, as functions of a connection. A statement can then
// say them in any place, also under NOT and in an order, and count and limit rows by them. They
// can't be called by what stands in a file.
extension Connection {
  /// The condition that a text occurs in another: the test, the folding, the part, the text.
  static let textFunction = "signalbox_text"
  /// The condition that a pattern matches texts: the pattern, and then the texts.
  static let matchFunction = "signalbox_matches"

  func addFunctions() throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    var code = sqlite3_create_function_v2(
      handle, Self.textFunction, 4, flags, nil,
      { context, count, values in
        guard count == 4, let values else { return }
        let search: Kept<TextSearch>? = kept(in: context) {
          guard let test = TextTest(number: sqlite3_value_int(values[0])),
            let part = text(of: values[2])
          else { return nil }
          let folding = TextFolding(
            rawValue: UInt8(truncatingIfNeeded: sqlite3_value_int(values[1])))
          return TextSearch(test, part, ignoring: folding)
        }
        let holds =
          search.flatMap { search in withUTF8(of: values[3], search.value.holds) } ?? false
        sqlite3_result_int(context, holds ? 1 : 0)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw StoreError.storage(fault(code)) }
    code = sqlite3_create_function_v2(
      handle, Self.matchFunction, -1, flags, nil,
      { context, count, values in
        guard count > 0, let values else { return }
        let pattern: Kept<SearchPattern>? = kept(in: context) {
          text(of: values[0]).flatMap { try? SearchPattern(parsing: $0) }
        }
        guard let pattern else {
          return sqlite3_result_error(context, "signalbox_matches has no pattern", -1)
        }
        let texts = (1..<Int(count)).compactMap { text(of: values[$0]) }
        sqlite3_result_int(context, pattern.value.matches(texts) ? 1 : 0)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw StoreError.storage(fault(code)) }
  }
}

/// A value that SQLite keeps for the rows of a statement.
private final class Kept<Value> {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// Returns the value that was made for the statement's parameters, or makes it.
///
/// SQLite keeps it with the first argument for as long as that is the same constant.
private func kept<Value>(in context: OpaquePointer?, _ make: () -> Value?) -> Kept<Value>? {
  if let found = sqlite3_get_auxdata(context, 0) {
    return Unmanaged<Kept<Value>>.fromOpaque(found).takeUnretainedValue()
  }
  guard let made = make().map(Kept.init) else { return nil }
  sqlite3_set_auxdata(context, 0, Unmanaged.passRetained(made).toOpaque()) { kept in
    if let kept { Unmanaged<AnyObject>.fromOpaque(kept).release() }
  }
  return made
}

/// Runs `body` with the UTF-8 of a value, or returns nil if the value isn't a text.
private func withUTF8<Result>(
  of value: OpaquePointer?, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result? {
  guard sqlite3_value_type(value) == SQLITE_TEXT, let bytes = sqlite3_value_text(value) else {
    return nil
  }
  return body(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
}

/// Returns a text, or nil if the value is none or isn't UTF-8, as in an index of words.
private func text(of value: OpaquePointer?) -> String? {
  withUTF8(of: value) { String(exactly: $0) } ?? nil
}
