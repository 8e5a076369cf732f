@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The table of FTS5 that finds the rows of an entity by their words.
///
/// FTS5 gets the words as `FoldedWords` finds them, with spaces between. So its own tokenizer has
/// nothing to fold, and the words are the same as in memory. It keeps no copy of the texts. To
/// remove a row, one has to give the words that it had.
struct SearchTable {
  /// The form of the words that are given to FTS5; another one makes the index again.
  ///
  /// A later version of Swift knows more letters. Form 1 kept the words of some deleted rows, and
  /// form 2 had the selectors of emoji as words.
  private static let form = "3.\(FoldedWords.fingerprint)"

  let entity: EntityDescription
  /// The name of the row number in the entity's table.
  let rowNumber: String
  private let name: String
  let quotedName: String

  /// Returns nil if the entity has no index of words.
  ///
  /// If attributes use all names of the row number, its words are looked for in each row.
  init?(_ entity: EntityDescription) {
    guard !entity.fullText.isEmpty, let number = try? entity.rowNumberName() else { return nil }
    self.entity = entity
    rowNumber = number
    name = StoreTables.searchName(of: entity.name)
    quotedName = SQL.quoted(name)
  }

  /// The attributes as the file records them.
  var attributes: String {
    "\(Self.form): \(entity.quotedColumns(of: entity.fullText))"
  }

  /// True if the row number is the id, so that nobody else can change it.
  var isNumberedByID: Bool {
    let columns = entity.sqlColumns(of: [entity.identity])
    return columns.count == 1 && columns[0].type == .integer
  }

  var createSQL: String { StoreTables.search(name, columns: entity.fullText.count) }

  private var columns: String {
    entity.fullText.indices.map { "t\($0)" }.joined(separator: ", ")
  }

  private var places: String { entity.fullText.map { _ in "?" }.joined(separator: ", ") }

  /// SQL that adds the words of a row; its parameters are the row number and the texts.
  var insertSQL: String {
    "INSERT INTO \(quotedName) (rowid, \(columns)) VALUES (?, \(places))"
  }

  var deleteAllSQL: String {
    "INSERT INTO \(quotedName) (\(quotedName)) VALUES ('delete-all')"
  }

  /// SQL that removes the words of a row; its parameters are the row number and the old texts.
  var deleteSQL: String {
    "INSERT INTO \(quotedName) (\(quotedName), rowid, \(columns)) VALUES ('delete', ?, \(places))"
  }

  /// SQL that selects the number and the texts of all rows.
  var textsSQL: String {
    "SELECT \(rowNumber), \(entity.quotedColumns(of: entity.fullText)) FROM \(entity.quotedName)"
  }

  // MARK: Words

  /// Returns texts in the form that FTS5 gets, and the number of their words.
  static func words(of texts: some Sequence<StoredValue>) -> (texts: [StoredValue], count: Int) {
    var count = 0
    let texts = texts.map { text -> StoredValue in
      guard case .text(let text) = text else { return .text("") }
      let words = FoldedWords(text)
      count += words.count
      return .text(words.joined)
    }
    return (texts, count)
  }

  func words(of row: EntityRow) -> (texts: [StoredValue], count: Int) {
    Self.words(of: entity.fullText.lazy.map { row.value(at: $0) })
  }

  // MARK: Searching

  /// Returns SQL for a list of the numbers of the rows that match.
  ///
  /// It is nil if the index doesn't have all of the attributes.
  func search(_ pattern: SearchPattern, in attributes: [Int]) -> SQLTranslation.Piece? {
    let places = attributes.compactMap { entity.fullText.firstIndex(of: $0) }
    guard places.count == attributes.count, var text = Self.text(of: pattern.node) else {
      return nil
    }
    if places.count < entity.fullText.count {
      text = "{\(places.map { "t\($0)" }.joined(separator: " "))} : (\(text))"
    }
    return SQLTranslation.Piece(
      sql: "SELECT rowid FROM \(quotedName) WHERE \(quotedName) MATCH ?", values: [.text(text)])
  }

  /// Returns a pattern in FTS5's own language, or nil if it matches everything.
  private static func text(of node: SearchPattern.Node) -> String? {
    if node == .all { return nil }
    return node.written(and: " AND ") { phrase in
      let words = phrase.words.map { String(decoding: $0, as: UTF8.self) }
      return "\"\(words.joined(separator: " "))\"" + (phrase.isPrefix ? " *" : "")
    }
  }
}
