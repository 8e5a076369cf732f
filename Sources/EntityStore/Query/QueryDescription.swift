/// A query without its type.
///
///     Query<Car>().sorted { [$0.year.descending] }.description.orderings.count  // 1
@_spi(Storage) public struct QueryDescription: Hashable, Sendable {
  /// The expressions that define sections.
  ///
  ///     Query<Car>().sectioned { $0.owner.name }.description.sectioning  // .key
  public enum Sectioning: Hashable, Sendable {
    /// One expression for identity, title and order.
    case key(QueryExpression)
    /// An expression for each of the three.
    case parts(identity: QueryExpression, title: QueryExpression, order: SortKey)
  }

  /// The entity of the objects.
  public let entity: EntityDescription
  /// The condition, or nil for all objects.
  public package(set) var filter: QueryExpression?
  /// The keys of the order; equal ones are ordered by id.
  public package(set) var orderings: [SortKey] = []
  /// The sections, if there are any.
  public package(set) var sectioning: Sectioning?
  /// True if the sections' titles are Boolean values, which are stored as numbers.
  package var titlesAreTruths = false
  /// Checks the order of the sections' values, which matters only if nothing else orders them.
  package var casesCheck: CasesCheck?
  /// The paths whose values come with each row.
  public package(set) var included: [AttributePath] = []
  /// The values that come with each row and are computed, for example of several related objects.
  public package(set) var includedComputed: [QueryExpression] = []
  /// The values of which a result gives sums, averages, extremes and counts.
  public package(set) var aggregated: [QueryExpression] = []
  /// The aggregated values that are numbers, which alone have sums.
  package var numbers: Set<QueryExpression> = []
  /// The greatest number of objects, or nil for all.
  public package(set) var limit: Int?
  /// The number of objects at the start of the order, or at its end, that are left out.
  public package(set) var offset = 0

  /// True if the limit and the offset count from the end of the order.
  public package(set) var isFromEnd = false

  /// Creates the query for all objects of an entity, ordered by id.
  package init(entity: EntityDescription) { self.entity = entity }
}

extension QueryDescription {
  /// True if the order depends on the relevance to a search, and so on all objects of the entity.
  package var isRanked: Bool { orderings.contains { $0.expression.isRank } }

  /// The query without its limit and offset.
  package var unlimited: QueryDescription {
    var query = self
    query.limit = nil
    query.offset = 0
    query.isFromEnd = false
    return query
  }

  /// The order of all rows: by section, section identity, the orderings and the id.
  package var fullOrder: [SortKey] {
    sectionOrder + orderings + [idKey]
  }

  /// The keys by which sections are ordered; the last is their identity.
  package var sectionOrder: [SortKey] {
    switch sectioning {
    case nil: []
    case .key(let expression):
      if let first = orderings.first, first.expression == expression {
        [first]
      } else {
        [SortKey(expression, isAscending: true)]
      }
    case .parts(let identity, _, let order):
      [order, SortKey(identity, isAscending: true)]
    }
  }

  private var idKey: SortKey {
    SortKey(.column(entity.identity, of: entity), isAscending: true)
  }
}
