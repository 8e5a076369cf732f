internal import EntityStore

// For each row that is written, SQLite evaluates the expressions and conditions of all indexes of
// the table, including those of other programs. They can't have effects, because the schema isn't
// trusted. But they can take any time and memory: hex(zeroblob(400000000)) is a few bytes of text.
extension FileSchema {
  /// The words that may stand before a bracket: words of SQL, and functions whose time and result
  /// don't exceed their arguments.
  ///
  /// The time of `instr`, and of `trim` with a list of characters, is a product of lengths. So is
  /// the time of `LIKE`.
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

  /// Throws if an index of a table calls a function that may make a long value of a short one.
  func checkIndexes(of table: String) throws {
    for object in indexes(of: FoldedName(table)) {
      guard let call = Self.longCall(object.words.words) else { continue }
      throw fault(
        .schemaMismatch,
        "the index \"\(object.name)\" of another program on \(object.table) calls \(call), which may take any time "
          + "for each row; drop that index with the sqlite3 shell and open the file again")
    }
  }

  /// Returns the first word before a bracket that isn't harmless, or nil.
  static func longCall(_ words: [String]) -> String? {
    guard let start = words.firstIndex(of: "(") else { return nil }
    for place in words.indices[start...] where isComparison(words, at: place) {
      return words[place]
    }
    // A value that is doubled twice is still short.
    var doublings = 0
    for place in words.indices.dropFirst(start + 2) where words[place] == "(" {
      let word = words[place - 1]
      // A quoted text may be the name of a function.
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

  /// Returns true if a word compares texts with a pattern and isn't the name of a column.
  ///
  /// Such a comparison takes a time that is the product of the texts' lengths.
  private static func isComparison(_ words: [String], at place: Int) -> Bool {
    guard ["LIKE", "GLOB", "MATCH", "REGEXP"].contains(words[place]) else { return false }
    let before = place > 0 && words[place - 1] == "NOT" ? place - 2 : place - 1
    guard before >= 0 else { return false }
    // The compared value stands before the word.
    let word = words[before]
    return word == ")" || word == "\"" || (SQLWords.isWord(word) && !operators.contains(word))
  }

  /// The words that an expression follows.
  private static let operators: Set<String> = [
    "AND", "OR", "NOT", "IN", "IS", "BETWEEN", "ESCAPE", "WHERE", "CASE", "WHEN", "THEN", "ELSE",
    "FROM", "DISTINCT",
  ]

  /// Returns true if a comma stands between a bracket and its closing bracket.
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
