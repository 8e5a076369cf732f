import ListDiffing

/// The list of ownerships at one version of the data.
@MainActor protocol OwnershipDataSource: AnyObject {
  /// All documents in order, or nil before the first fetch.
  var objects: [Ownership]? { get }
  /// Returns the document at a path, or nil if its car has lost its owner or manufacturer.
  func object(at path: ListPath) -> Ownership?
  /// Returns the identities of the document at a path, or nil if there is no document.
  func objectModelID(at path: ListPath) -> OwnershipModelIDs?

  var sectionIndexTitles: [String] { get }
  /// The number of sections, or nil before the first fetch.
  var numberOfSections: Int? { get }
  func section(forSectionIndexTitle title: String, at index: Int) -> Int
  func sectionIndexTitle(forSectionName name: String) -> String?
  /// Returns the number of rows, or 0 before the first fetch.
  func numberOfRowsInSection(at index: Int) -> Int
  func sectionName(at index: Int) -> String?

  /// The time when the last commit was received, or nil before the first one.
  var committedAt: ContinuousClock.Instant? { get }
}
