internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// A row that a trigger logs: text that SQL can write and that contains every value exactly.
///
/// It consists of `T`, the entity's name, a comma, the signature of its columns and a semicolon.
/// The objects follow, each with a semicolon at its end. An inserted object is `I` and the id. Any
/// other object is `R` and all its old values. An object whose id SQLite gives is `G` before it
/// exists, and `N` and the id afterwards. An object with too long values is `X`, which can't be
/// read: the changes of its version are unknown then.
///
/// Values are separated by commas, and begin with their type: `n` for NULL, `i` and an integer, `r`
/// and a number with a fraction, `t` and the bytes of a text, `b` and the bytes of a blob. Bytes,
/// names and signatures are hexadecimal.
enum TriggerRow {
  /// The number of bytes that an object's texts and blobs may have.
  ///
  /// Their digits are twice as many.
  private static let mostBytes = 4 << 20
  /// The record of an object whose values are longer.
  private static let tooLong = "X;"

  /// Returns SQL that writes the value of a column.
  ///
  /// `quote` would write 15 digits of some numbers, which Swift reads as a neighbouring number.
  private static func value(_ column: String) -> String {
    "CASE typeof(\(column)) WHEN 'integer' THEN 'i' || \(column) WHEN 'real' THEN 'r' || "
      + "printf('%!.20e', \(column)) WHEN 'text' THEN 't' || hex(\(column)) "
      + "WHEN 'blob' THEN 'b' || hex(\(column)) ELSE 'n' END"
  }

  /// Joins expressions in groups, so that a wide table's expression isn't deeper than SQLite
  /// allows.
  private static func joined(_ expressions: [String], by sign: String) -> String {
    var groups = expressions
    while groups.count > 1 {
      groups = stride(from: 0, to: groups.count, by: 32).map { start in
        let group = groups[start..<min(start + 32, groups.count)]
        return "(" + group.joined(separator: sign) + ")"
      }
    }
    return groups[0]
  }

  private static func record(
    _ mark: String, _ places: [ChangeLogLayout.Place], of row: String
  ) -> String {
    let columns: [String] = places.map { "\(row).\(SQL.quoted($0.name))" }
    var (values, separator): ([String], String) = ([], mark)
    for column in columns {
      values.append("'\(separator)' || \(value(column))")
      separator = ","
    }
    let record = joined(values + ["';'"], by: " || ")
    // The length of a text is the number of its characters before a NUL.
    let lengths = zip(places, columns).filter { $0.0.type == .text || $0.0.type == .bytes }
      .map { "COALESCE(length(CAST(\($0.1) AS BLOB)), 0)" }
    if lengths.isEmpty { return record }
    return
      "CASE WHEN \(joined(lengths, by: " + ")) > \(mostBytes) THEN '\(tooLong)' ELSE \(record) END"
  }

  /// Returns the record of an object that existed.
  ///
  /// `row` is `OLD`, or the table.
  static func replaced(_ layout: ChangeLogLayout, _ row: String) -> String {
    record("R", layout.places, of: row)
  }

  /// Returns the record of an object that didn't exist, in `NEW`.
  static func inserted(_ layout: ChangeLogLayout) -> String {
    record("I", layout.identity.map { layout.places[$0] }, of: "NEW")
  }

  /// The record of an object to which SQLite is going to give an id.
  static let givingID = "G;"

  /// Returns the record of the object to which SQLite has given the id, in `NEW`.
  static func given(_ layout: ChangeLogLayout) -> String {
    record("N", layout.identity.map { layout.places[$0] }, of: "NEW")
  }

  /// Returns SQL that is true if the change log's last row is about this table and ends with a
  /// record.
  static func isLast(_ layout: ChangeLogLayout, _ record: String) -> String {
    let last = "(SELECT changes FROM signalbox_log ORDER BY version DESC LIMIT 1)"
    let (head, tail) = ("CAST(\(head(layout)) AS BLOB)", "CAST(\(record) AS BLOB)")
    return
      "substr(\(last), 1, length(\(head))) = \(head) AND substr(\(last), -length(\(tail))) = \(tail)"
  }

  /// Returns the row that consists of these records.
  static func blob(_ layout: ChangeLogLayout, _ records: [String]) -> String {
    "CAST(\(joined([head(layout)] + records, by: " || ")) AS BLOB)"
  }

  private static func head(_ layout: ChangeLogLayout) -> String {
    "'T\(TextBytes.hexadecimal(layout.name)),\(String(layout.signature, radix: 16));'"
  }
}
