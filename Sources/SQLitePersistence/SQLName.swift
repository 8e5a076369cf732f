internal import EntityStore

/// Names and pieces of SQL.
///
/// A name is always quoted; a value is never part of SQL.
enum SQLName {
  static func quoted(_ name: String) -> String {
    // Scalar by scalar: a quote with a mark above it is another Character, and still a quote.
    var quoted = "\"".unicodeScalars
    for scalar in name.unicodeScalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}

extension EntityDescription {
  var quotedName: String { SQLName.quoted(name) }

  func quotedColumn(_ column: Int) -> String { SQLName.quoted(columns[column].name) }

  var quotedColumns: String { columns.indices.map(quotedColumn).joined(separator: ", ") }

  var rowSQL: String {
    "SELECT \(quotedColumns) FROM \(quotedName) WHERE \(quotedColumn(identity)) = ?"
  }

  var insertSQL: String {
    "INSERT INTO \(quotedName) (\(quotedColumns)) VALUES "
      + "(\(columns.map { _ in "?" }.joined(separator: ", ")))"
  }

  var updateSQL: String {
    let id = quotedColumn(identity)
    let assignments = columns.indices.filter { $0 != identity }.map { "\(quotedColumn($0)) = ?" }
    // Nothing but an id never changes, but the statement is prepared all the same.
    return "UPDATE \(quotedName) SET "
      + (assignments.isEmpty ? "\(id) = \(id)" : assignments.joined(separator: ", "))
      + " WHERE \(quotedColumn(identity)) = ?"
  }

  var deleteSQL: String { "DELETE FROM \(quotedName) WHERE \(quotedColumn(identity)) = ?" }

  func idsSQL(where columns: [Int]) -> String {
    "SELECT \(quotedColumn(identity)) FROM \(quotedName) WHERE "
      + columns.map { "\(quotedColumn($0)) IS ?" }.joined(separator: " AND ")
  }
}
