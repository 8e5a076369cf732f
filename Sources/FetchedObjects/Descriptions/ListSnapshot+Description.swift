internal import ListDiffing

extension ListSnapshot: CustomStringConvertible {
  /// The version and the rows' identifiers, as in `version 7: "Ann" [1, 2], "Bob" [3]`.
  ///
  /// Of a long list, it has the first twenty rows.
  public var description: String { "version \(version): \(sections)" }
}

extension SectionList: CustomStringConvertible {
  /// The titles and the rows' identifiers, as in `"Ann" [1, 2], "Bob" [3]`.
  ///
  /// Of a long list, it has the first twenty rows.
  public var description: String {
    ListWords.describe(self, title: { $0.title }, name: { "\($0.diffIdentifier)" })
  }
}

extension SectionInfo: CustomStringConvertible {
  /// The title and the rows' identifiers, as in `"Ann" [1, 2]`.
  ///
  /// Of a long section, it has the first twenty rows.
  public var description: String {
    ListWords.describe(
      CollectionOfOne(self), title: { $0.title }, name: { "\($0.diffIdentifier)" })
  }

  /// The title, or nil if it is the only section of a list without sections.
  fileprivate var title: String? { header.staysWhenEmpty ? nil : name }
}

extension FetchedObjectList: CustomStringConvertible {
  /// The objects, as an array prints them.
  ///
  /// Of a long list, it has the first twenty objects.
  public var description: String {
    ListWords.describe(CollectionOfOne(self), title: { _ in nil }, name: { "\($0)" })
  }
}

extension ListEvent: CustomStringConvertible {
  /// The versions and the changes, as in `version 7: insert 0.3, update 0.1 → 0.1`.
  public var description: String { "\(describe(versions)): \(changes)" }
}
