@_spi(Storage) internal import EntityStore
internal import ListDiffing

/// A list that is made of a result, which isn't generic.
///
/// A model keeps this type as a value and makes every version through it. Looking up the generic
/// type for each event took a quarter of the event's cost.
protocol ResultContent<Row>: ViewContent where View == ResultView {
  init(view: ResultView)
}

extension ResultContent {
  static func list(of view: ResultView) -> any ListContent<Row> { Self(view: view) }
}

/// The rows of a query's result: its objects, with the included values.
struct EntityRows<E: Entity>: ResultContent {
  let view: ResultView

  var key: ListKey { ListKey(view.base, view.window) }
  var result: ResultView? { view }

  func contentOfSection(_ section: Int) -> any SectionContent<EntityView<E>> {
    EntitySection<E>(view, section)
  }

  func row(at path: ListPath) -> EntityView<E> { EntityView(view.row(at: path), view.plan) }

  func rows(_ section: Int) -> [EntityView<E>] { EntitySection<E>(view, section).rows }

  func row(for id: E.ID) -> EntityView<E>? {
    view.row(E.schema.stored(id)).map { EntityView($0, view.plan) }
  }

  func path(of id: E.ID) -> ListPath? { view.path(of: E.schema.stored(id)) }

  func changes(to other: any ListContent<EntityView<E>>) -> ListChanges {
    // Only results have rows of this type, or lists derived from results by a filter.
    guard let other = other.result else {
      return comparedChanges(from: self, to: other)
    }
    // A snapshot that is read once has a plan of its own.
    let isOneQuery = view.plan === other.plan || view.plan.query == other.plan.query
    return SectionedListDiff(
      from: comparedSections(inOneQuery: isOneQuery),
      to: EntityRows(view: other).comparedSections(inOneQuery: isOneQuery),
      areIdentifiersUnique: true
    ).changes
  }

  private func comparedSections(
    inOneQuery isOneQuery: Bool
  ) -> [ListSection<ComparedHeader, ComparedRow<E>>] {
    (0..<sectionCount).map { section in
      ListSection(
        header: ComparedHeader(header(section)),
        rows: rows(section).map { row in
          ComparedRow(row: row.result, plan: isOneQuery ? nil : view.plan)
        })
    }
  }
}

/// A section of a result, whose tree has been looked up.
private struct EntitySection<E: Entity>: SectionContent {
  private let view: ResultView
  private let tree: RankTree
  private let range: Range<Int>

  init(_ view: ResultView, _ section: Int) {
    self.view = view
    tree = view.tree(ofSection: section)
    range = view.rows(ofSection: section)
  }

  func row(_ position: Int) -> EntityView<E> {
    EntityView(view.base.row(tree[range.lowerBound + position]), view.plan)
  }

  var rows: [EntityView<E>] {
    var rows: [EntityView<E>] = []
    rows.reserveCapacity(range.count)
    tree.forEach(in: range) { rows.append(EntityView(view.base.row($0), view.plan)) }
    return rows
  }
}

/// A row, for the comparison of two results, which may have different queries.
private struct ComparedRow<E: Entity>: Diffable {
  let row: ResultRow
  /// The plan, or nil if both results have the same query, and so the same values in one order.
  let plan: ResultPlan?

  var diffIdentifier: StoredValue { row.id }

  func isContentEqual(to other: ComparedRow) -> Bool {
    guard let plan, let otherPlan = other.plan else { return !row.differs(from: other.row) }
    return row.row.isEqual(to: other.row.row)
      && plan.includedValues(of: row) == otherPlan.includedValues(of: other.row)
  }
}
