internal import EntityStore
internal import ListDiffing

extension DerivedSnapshot: CustomStringConvertible {
  /// The version and what identifies the rows, as in `version 7: "Ann" [1, 2], "Bob" [3]`; of a long list the
  /// first twenty.
  public var description: String { "version \(version): \(sections)" }
}

extension DerivedSectionList: CustomStringConvertible {
  /// The titles and what identifies the rows, as in `"Ann" [1, 2], "Bob" [3]`; of a long list the first twenty.
  public var description: String {
    ListWords.describe(self, title: { $0.title }, name: { "\($0.diffIdentifier)" })
  }
}

extension DerivedSection: CustomStringConvertible {
  /// The title and what identifies the rows, as in `"Ann" [1, 2]`; of a long section the first twenty.
  public var description: String {
    ListWords.describe(
      CollectionOfOne(self), title: { $0.title }, name: { "\($0.diffIdentifier)" })
  }

  /// The title, or nil if it is the one section of a list without sections.
  fileprivate var title: String? { header.staysWhenEmpty ? nil : name }
}

extension DerivedEvent: CustomStringConvertible {
  /// The versions and the changes, as in `version 7: insert 0.3, update 0.1 → 0.1`.
  public var description: String { "\(describe(versions)): \(changes)" }
}
