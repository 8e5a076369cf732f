import ListDiffing

/// What can be asked about the list of ownerships, as one version of the data has it.
@MainActor protocol OwnershipDataSource: AnyObject {
  /// All documents in order, or nil before the first fetch.
  var objects: [Ownership]? { get }
  /// The document at a path, or nil if its car has lost its owner or manufacturer.
  func object(at path: ListPath) -> Ownership?
  /// The identities of the document at a path, or nil likewise.
  func objectModelID(at path: ListPath) -> OwnershipModelIDs?

  var sectionIndexTitles: [String] { get }
  /// Nil before the first fetch.
  var numberOfSections: Int? { get }
  func section(forSectionIndexTitle title: String, at index: Int) -> Int
  func sectionIndexTitle(forSectionName name: String) -> String?
  /// 0 before the first fetch.
  func numberOfRowsInSection(at index: Int) -> Int
  func sectionName(at index: Int) -> String?

  /// When the last commit was noticed; nil before the first.
  var committedAt: ContinuousClock.Instant? { get }
}
