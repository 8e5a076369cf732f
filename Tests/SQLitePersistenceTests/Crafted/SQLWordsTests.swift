import Testing

@testable import SQLitePersistence

@Suite struct `The words of a file's schema are SQLite's` {
  @Test func `P6: a comment begins and ends where SQLite says`() {
    #expect(
      SQLWords("CREATE /*/ -- */ VIRTUAL TABLE t").begins(with: ["CREATE", "VIRTUAL", "TABLE"]))
    #expect(SQLWords("CREATE TABLE t (a) /*/ ' */ WITHOUT ROWID").tail.contains("WITHOUT"))
    #expect(SQLWords("CREATE TABLE t (a /**/ COLLATE NOCASE)").contains("COLLATE"))
    #expect(!SQLWords("CREATE TABLE t (a) /*/ STRICT */").tail.contains("STRICT"))
  }

  @Test func `P6: a byte order mark is white space where a word could begin`() {
    #expect(SQLWords("CREATE TABLE t (a) \u{FEFF}WITHOUT ROWID").tail.contains("WITHOUT"))
  }
}
