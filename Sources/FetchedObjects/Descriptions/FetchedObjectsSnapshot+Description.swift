internal import EntityStore

extension FetchedObjectsSnapshot: CustomStringConvertible {
  /// The entity, the version and the ids, as in `Car at version 7: "Ann" [1, 2], "Bob" [3]`.
  ///
  /// Of a long result, it has the first twenty rows.
  public var description: String { "\(E.entityName) at version \(version): \(sections)" }
}

extension SectionList: CustomStringConvertible {
  /// The titles and the ids, as in `"Ann" [1, 2], "Bob" [3]`.
  ///
  /// Of a long result, it has the first twenty rows.
  public var description: String {
    ListWords.describe(self, title: { isFlat ? nil : $0.name }, name: { "\($0.id)" })
  }

  private var isFlat: Bool { result.plan.query.sectioning == nil }
}

extension SectionInfo: CustomStringConvertible {
  /// The title and the ids, as in `"Ann" [1, 2]`.
  ///
  /// Of a long section, it has the first twenty rows.
  public var description: String {
    ListWords.describe(CollectionOfOne(self), title: { $0.name }, name: { "\($0.id)" })
  }
}

extension FetchedObjectList: CustomStringConvertible {
  /// The objects, as an array prints them.
  ///
  /// Of a long list, it has the first twenty objects.
  public var description: String {
    ListWords.describe(CollectionOfOne(self), title: { _ in nil }, name: { "\($0)" })
  }
}

extension FetchedObjectsEvent: CustomStringConvertible {
  /// The versions and the changes, as in `version 7: insert 0.3, update 0.1 → 0.1`.
  public var description: String { "\(describe(versions)): \(changes)" }
}
