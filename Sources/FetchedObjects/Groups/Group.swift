public import EntityStore
public import ListDiffing

/// A section of a list as a row of another one, with its number of rows and its aggregates.
///
///     for maker in makers.rows { print(maker.name, maker.count, try maker.sum { $0.price }) }
///
/// ``FetchedObjectsModel/groups(by:limit:showing:having:)`` makes a list of them.
public struct Group<Row: ObjectView>: Diffable, Identifiable, Sendable {
  /// The id of the section.
  public let id: SectionID

  /// The title of the section; "" for nil.
  public let name: String

  /// The number of rows in the section.
  public let count: Int

  /// The first rows of the section, as many as the list of groups shows.
  public let rows: [Row]

  /// The aggregates of the section.
  public let aggregates: Aggregates<Row.Object>

  /// The id of the section.
  public var diffIdentifier: SectionID { id }

  /// The value that the rows have in common, as it is stored.
  public var identity: StoredValue { id.identity }

  /// Returns true if both have the same title, number of rows and aggregates, and show the same
  /// rows.
  public func isContentEqual(to other: Group) -> Bool {
    count == other.count && name.utf8.elementsEqual(other.name.utf8)
      && aggregates.showSame(as: other.aggregates) && rows.count == other.rows.count
      && zip(rows, other.rows).allSatisfy {
        $0.diffIdentifier == $1.diffIdentifier && $0.isContentEqual(to: $1)
      }
  }
}

extension Group: AggregatedRows {
  /// The type of the objects.
  public typealias Object = Row.Object
}

extension Group {
  /// One key of the order of groups.
  ///
  ///     cars.groups(by: [.descending { $0.count }, .ascending { $0.name }])
  public struct Order: Sendable {
    let isAscending: Bool
    let key: @Sendable (Group) -> StoredValue

    /// Returns the order with smaller values first, and nil before all.
    ///
    /// Values are compared by their stored forms. If `value` throws, because a sum is beyond `Int`,
    /// the group counts as nil.
    public static func ascending<Value: Storable>(
      _ value: @escaping @Sendable (Group) throws -> Value?
    ) -> Order { Order(isAscending: true) { comparable((try? value($0)) ?? nil) } }

    /// Returns the order with larger values first, and nil after all.
    ///
    /// Values are compared by their stored forms. If `value` throws, because a sum is beyond `Int`,
    /// the group counts as nil.
    public static func descending<Value: Storable>(
      _ value: @escaping @Sendable (Group) throws -> Value?
    ) -> Order { Order(isAscending: false) { comparable((try? value($0)) ?? nil) } }

    /// The stored form, with nil for NaN, which has no place in an order.
    private static func comparable(_ value: (some Storable)?) -> StoredValue {
      let stored = value.storedValue
      if case .real(let number) = stored, number.isNaN { return .null }
      return stored
    }
  }
}
