internal import EntityStore

/// A value of JSON, with numbers as they are written.
enum JSONValue {
  case null
  case bool(Bool)
  case number(String)
  case text(String)
  case list([JSONValue])
  case object([JSONMember])

  /// A description of the value.
  var words: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text): text.utf8.count <= 40 ? text : "a number of \(text.utf8.count) bytes"
    case .text(let text):
      text.unicodeScalars.count <= 40
        ? "the text \"\(text)\"" : "a text of \(text.utf8.count) bytes"
    case .list: "a list"
    case .object: "an object"
    }
  }
}
