/// An expression of a query, as data that storages translate into their own language.
///
///     Query<Car>().filter { $0.year > 1990 }.description.filter
///
/// Conditions are two-valued (S7). A step through nil is nil. Nil equals only nil. Ordering, text
/// and membership tests with nil are false.
@_spi(Storage) public indirect enum QueryExpression: Hashable, Sendable {
  /// An attribute of the object, or of one that it refers to.
  case attribute(AttributePath)
  /// A value.
  case constant(StoredValue)
  /// A comparison of two values.
  case comparison(Comparison, QueryExpression, QueryExpression)
  /// A comparison of a date, in seconds since 1970, with a moment that moves with time.
  ///
  /// A storage never sees it: a comparison with a constant takes its place (`pinned(at:)`).
  case moment(Comparison, AttributePath, Moment)
  /// A condition that is true if a value is one of several.
  case isIn(QueryExpression, [StoredValue])
  /// A condition that is true if one text occurs in another, byte for byte after folding.
  case text(TextTest, QueryExpression, part: QueryExpression, ignoring: TextFolding)
  /// A condition that is true if a search pattern matches the words of some attributes.
  case matches(SearchPath, SearchPattern)
  /// A condition that is true if all parts are true; without parts it is true.
  case and([QueryExpression])
  /// A condition that is true if a part is true; without parts it is false.
  case or([QueryExpression])
  /// A condition that is true if another one is false.
  case not(QueryExpression)
  /// The number of objects that refer to this one and meet a condition.
  case count(ManyPath, where: QueryExpression?)
  /// One value, made of a value of each object that refers to this one and meets a condition.
  case related(RelatedAggregate, ManyPath, of: QueryExpression, where: QueryExpression?)
  /// A value that is computed from one or two others.
  case computed(Computation, [QueryExpression])
  /// The relevance of the object to a search; the order of a query may contain it.
  case rank(SearchPath, SearchPattern)
}

extension QueryExpression {
  /// Returns the value of an attribute of the object itself.
  package static func column(_ column: Int, of entity: EntityDescription) -> QueryExpression {
    .attribute(AttributePath(root: entity, steps: [], column: column))
  }

  /// True if this is the relevance to a search, which each commit to the entity may change.
  package var isRank: Bool { if case .rank = self { true } else { false } }
}
