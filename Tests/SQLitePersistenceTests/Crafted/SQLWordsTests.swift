import Testing

@testable import SQLitePersistence

@Suite struct `The words of a file's schema are read as SQLite reads them` {
  @Test func `P6: a comment begins and ends where SQLite says`() {
    #expect(
      SQLWords("CREATE /*/ -- */ VIRTUAL TABLE t").begins(with: ["CREATE", "VIRTUAL", "TABLE"]))
    #expect(SQLWords("CREATE TABLE t (a) /*/ ' */ WITHOUT ROWID").tail.contains("WITHOUT"))
    #expect(SQLWords("CREATE TABLE t (a /**/ COLLATE NOCASE)").contains("COLLATE"))
    #expect(!SQLWords("CREATE TABLE t (a) /*/ STRICT */").tail.contains("STRICT"))
  }

  @Test(arguments: [
    ("(match)", nil), ("(a, like DESC)", nil), ("(a) WHERE NOT match AND glob > 1", nil),
    ("(CASE WHEN match THEN like ELSE glob END)", nil), ("(a) WHERE regexp IS NOT NULL", nil),
    ("(a LIKE 'x')", "LIKE"), ("(a) WHERE b NOT GLOB 'x'", "GLOB"),
    ("(a) WHERE (b) MATCH 'x'", "MATCH"), ("(a) WHERE \"b\" REGEXP 'x'", "REGEXP"),
    ("(a) WHERE match LIKE 'x'", "LIKE"), ("(a) WHERE like(b, 'x')", "LIKE"),
    ("(a) WHERE 7 NOT LIKE b", "LIKE"),
  ])
  func `P6: a word that compares by a pattern is one behind what it compares`(
    _ index: String, _ call: String?
  ) {
    let words = SQLWords("CREATE INDEX extra ON Letter\(index)").words
    #expect(FileSchema.longCall(words) == call)
  }

  @Test func `P6: a byte order mark is white space where a word could begin`() {
    #expect(SQLWords("CREATE TABLE t (a) \u{FEFF}WITHOUT ROWID").tail.contains("WITHOUT"))
  }
}
