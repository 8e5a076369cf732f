internal import EntityStore

// SQLite works out the expressions and conditions of all indexes of a table for each row that is written, those of
// another program's, too. They can have no effects (the schema isn't trusted), but they can take any time and memory:
// hex(zeroblob(400000000)) is a few bytes of text.
extension FileSchema {
  /// What may stand before a bracket: words of SQL, and functions that take and give no more than they get.
  ///
  /// The time of `instr`, and of `trim` with the characters to be taken off, is a product; so is that of `LIKE`.
  private static let harmless: Set<String> = [
    "AND", "OR", "NOT", "IN", "IS", "BETWEEN", "ESCAPE", "WHERE", "CASE", "WHEN",
    "THEN", "ELSE",
    "CAST", "CHAR", "CHARACTER", "VARCHAR", "NVARCHAR", "DECIMAL", "NUMERIC", "ABS", "CEIL",
    "CEILING", "COALESCE",
    "DATE", "DATETIME", "FLOOR", "IFNULL", "IIF", "JSON_ARRAY_LENGTH", "JSON_EXTRACT",
    "JSON_TYPE",
    "JSON_VALID", "JULIANDAY", "LENGTH", "LIKELIHOOD", "LIKELY", "LOWER", "LTRIM", "MAX", "MIN",
    "MOD", "NULLIF",
    "OCTET_LENGTH", "ROUND", "RTRIM", "SIGN", "STRFTIME", "SUBSTR", "SUBSTRING", "TIME", "TRIM",
    "TYPEOF", "UNICODE",
    "UNIXEPOCH", "UNLIKELY", "UPPER",
  ]

  /// Throws if an index of a table calls a function that may make something long of something short.
  func checkIndexes(of table: String) throws {
    let name = FoldedName(table)
    for object in objects where object.kind == "index" && FoldedName(object.table) == name {
      guard let call = Self.longCall(object.words.words) else { continue }
      throw fault(
        .schemaMismatch,
        "the index \"\(object.name)\" of another program on \(object.table) calls \(call), which may take any time "
          + "for each row; drop that index with the sqlite3 shell and open the file again")
    }
  }

  /// The first word before a bracket that isn't harmless, or nil.
  static func longCall(_ words: [String]) -> String? {
    guard let start = words.firstIndex(of: "(") else { return nil }
    for place in words.indices[start...] where isComparison(words, at: place) {
      return words[place]
    }
    // Twice as long, and that twice, is short still.
    var doublings = 0
    for place in words.indices.dropFirst(start + 2) where words[place] == "(" {
      let word = words[place - 1]
      // Quotes may have the name of a function in them.
      guard word == "\"" || SQLWords.isWord(word) else { continue }
      if word == "HEX", doublings < 2 {
        doublings += 1
      } else if ["TRIM", "LTRIM", "RTRIM"].contains(word), hasTwoArguments(words, after: place) {
        return word
      } else if !harmless.contains(word) {
        return word == "\"" ? "a function whose name is quoted" : word
      }
    }
    return nil
  }

  /// Whether a word compares texts by a pattern, which takes the product of their lengths, and isn't a column's name.
  private static func isComparison(_ words: [String], at place: Int) -> Bool {
    guard ["LIKE", "GLOB", "MATCH", "REGEXP"].contains(words[place]) else { return false }
    let before = place > 0 && words[place - 1] == "NOT" ? place - 2 : place - 1
    guard before >= 0 else { return false }
    // What it compares stands before it.
    let word = words[before]
    return word == ")" || word == "\"" || (SQLWords.isWord(word) && !operators.contains(word))
  }

  /// Words behind which an expression begins.
  private static let operators: Set<String> = [
    "AND", "OR", "NOT", "IN", "IS", "BETWEEN", "ESCAPE", "WHERE", "CASE", "WHEN", "THEN", "ELSE",
    "FROM", "DISTINCT",
  ]

  /// Whether a comma stands between a bracket and its end.
  private static func hasTwoArguments(_ words: [String], after bracket: Int) -> Bool {
    var depth = 0
    for word in words[bracket...] {
      switch word {
      case "(": depth += 1
      case ")": depth -= 1
      case "," where depth == 1: return true
      default: break
      }
      if depth == 0 { return false }
    }
    return false
  }
}
