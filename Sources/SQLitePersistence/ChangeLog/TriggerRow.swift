internal import EntityStore

/// What a trigger logs: text that SQL can write, and that says every value exactly.
///
/// `T`, the entity's name, a comma, the signature of its columns and a semicolon; then the objects: of
/// an inserted one `I` and the id, of others `R` and all values that it had, each with a semicolon
/// behind. One whose id SQLite gives is `G` before it is there, and `N` and the id after. Values have commas between them, and begin with what they are: `n` for NULL, `i` and a
/// number, `r` and one with a fraction, `t` and `b` and the bytes of text and of a blob. Bytes, names
/// and signatures are hexadecimal.
enum TriggerRow {
  /// A value of a column as SQL writes it.
  private static func value(_ column: String) -> String {
    "CASE typeof(\(column)) WHEN 'integer' THEN 'i' || \(column) WHEN 'real' THEN 'r' || "
      + "quote(\(column)) WHEN 'text' THEN 't' || hex(\(column)) WHEN 'blob' THEN 'b' || "
      + "hex(\(column)) ELSE 'n' END"
  }

  /// In groups, so that a wide table's expression isn't deeper than SQLite allows.
  private static func joined(_ expressions: [String]) -> String {
    var groups = expressions
    while groups.count > 1 {
      groups = stride(from: 0, to: groups.count, by: 32).map { start in
        let group = groups[start..<min(start + 32, groups.count)]
        return "(" + group.joined(separator: " || ") + ")"
      }
    }
    return groups[0]
  }

  private static func record(_ mark: String, _ names: [String], of row: String) -> String {
    let values = names.enumerated().map { index, name in
      "'\(index == 0 ? mark : ",")' || " + value("\(row).\(SQLName.quoted(name))")
    }
    return joined(values + ["';'"])
  }

  /// An object that was there, `row` being `OLD`, or the table.
  static func replaced(_ layout: ChangeLogLayout, _ row: String) -> String {
    record("R", layout.places.map(\.name), of: row)
  }

  /// An object that wasn't there, in `NEW`.
  static func inserted(_ layout: ChangeLogLayout) -> String {
    record("I", layout.identity.map { layout.places[$0].name }, of: "NEW")
  }

  /// What stands for an object whose id SQLite is going to give.
  static let givingID = "G;"

  /// The object that it has given the id to, in `NEW`.
  static func given(_ layout: ChangeLogLayout) -> String {
    record("N", layout.identity.map { layout.places[$0].name }, of: "NEW")
  }

  /// Says whether the log's last row is about this table and ends with a record.
  static func isLast(_ layout: ChangeLogLayout, _ record: String) -> String {
    let last = "(SELECT changes FROM signalbox_log ORDER BY version DESC LIMIT 1)"
    let (head, tail) = ("CAST(\(head(layout)) AS BLOB)", "CAST(\(record) AS BLOB)")
    return
      "substr(\(last), 1, length(\(head))) = \(head) AND substr(\(last), -length(\(tail))) = \(tail)"
  }

  /// The row that says this of objects.
  static func blob(_ layout: ChangeLogLayout, _ records: [String]) -> String {
    "CAST(\(joined([head(layout)] + records)) AS BLOB)"
  }

  private static func head(_ layout: ChangeLogLayout) -> String {
    "'T\(hexadecimal(layout.name)),\(String(layout.signature, radix: 16));'"
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
