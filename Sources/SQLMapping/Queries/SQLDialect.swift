@_spi(Storage) package import EntityStore

/// The differences between databases in the translation of a query.
///
/// A test is true, false or NULL for nil. In a WHERE, NULL has the same effect as false.
package protocol SQLDialect {
  typealias Piece = SQLTranslation.Piece

  /// Returns the name of an entity's table for a FROM clause.
  func table(of entity: EntityDescription) -> String

  /// Returns the column with the numbers of an entity's rows, in quotes if it needs them.
  ///
  /// - Throws: ``/EntityStore/StoreError/rowNumbersUnsupported`` if there is none.
  func rowNumber(of entity: EntityDescription) throws -> String

  /// Returns true if a value can be the parameter of a statement.
  func canBind(_ value: StoredValue) -> Bool

  /// True if a subquery in a FROM clause may depend on columns of tables before it, and is made
  /// once for rows that agree in these columns.
  var remembersSubqueries: Bool { get }

  /// True if the operands of one function may have different types, or unknown ones.
  var mixesTypes: Bool { get }

  /// Returns true if SQL has the least and the greatest of several values of a type.
  func hasExtremes(of type: StoredType) -> Bool

  /// Returns a test with false in place of NULL.
  func orFalse(_ test: Piece) -> Piece

  /// Returns 1 for true and 0 for false.
  func number(ofTruth test: Piece) -> Piece

  /// Returns a test that is true if two values are the same, or both are NULL; it isn't NULL.
  func areSame(_ a: Piece, _ b: Piece) -> Piece

  /// Returns a test that is true if two values, of which the second isn't NULL, are the same.
  ///
  /// It may be NULL, and an index may serve it.
  func areEqual(_ a: Piece, _ b: Piece) -> Piece

  /// Returns a test that is true if columns of a table have the values of one of some rows.
  ///
  /// `rows` is a list of rows without NULL that begins with VALUES. The test may be NULL, and an
  /// index may serve it. It is nil if SQL can't express it.
  func areListed(
    _ columns: [SQLColumn], of entity: EntityDescription, alias: String, in rows: Piece
  ) -> Piece?

  /// Returns an attribute for a condition that no index serves, if the database knows nothing of
  /// how many rows meet a condition.
  func withoutIndex(_ attribute: Piece) -> Piece

  /// Returns the end of a term of an ORDER BY: the direction, and the place of NULL.
  ///
  /// `mayBeNull` is false if no value is NULL, so that its place doesn't matter.
  func direction(of key: SortKey, mayBeNull: Bool) -> String

  /// Returns the end of a SELECT with some of its rows.
  func limit(_ limit: Int?, _ offset: Int) -> Piece

  /// Returns a test that is true if a part, which isn't empty, occurs in a text, byte for byte.
  ///
  /// It isn't NULL. It is nil if SQL can't express it.
  func test(_ test: TextTest, _ text: Piece, _ part: String) -> Piece?

  /// Returns the same test after folding.
  func foldedTest(_ test: TextTest, _ text: Piece, _ part: String, _ folding: TextFolding) -> Piece?

  /// Returns a test of the words of some columns, or nil if SQL can't express it.
  func matches(_ pattern: SearchPattern, _ columns: [String]) -> Piece?

  /// Returns a test of the words of some attributes by an index of the words, or nil without one.
  func indexed(_ path: SearchPath, _ pattern: SearchPattern, alias: String) -> Piece?

  /// Returns a number as one with a fraction, or nil if SQL can't express it.
  func real(_ number: Piece) -> Piece?

  /// Returns a number as text, or nil if SQL can't express it.
  func text(ofNumber number: Piece) -> Piece?

  /// Returns the result of an operator, and NULL for a whole number that doesn't fit.
  ///
  /// It is nil if SQL can't express it.
  func arithmetic(_ sign: String, _ operands: [Piece]) -> Piece?
}

extension SQLDialect {
  /// False, for databases that make the value of a subquery again for each row.
  package var remembersSubqueries: Bool { false }

  package func withoutIndex(_ attribute: Piece) -> Piece { attribute }

  package func direction(of key: SortKey, mayBeNull: Bool) -> String {
    (key.isAscending ? " ASC" : " DESC") + (key.nilsFirst ? " NULLS FIRST" : " NULLS LAST")
  }
}
