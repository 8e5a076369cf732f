public import ListDiffing

// What is shown, path by path.
extension FetchedDataProvider {
  /// All objects that can be shown, in order, or nil before the first fetch.
  public var objects: [Object]? { snapshot?.objects }

  /// The object at a path, or nil if a part of it is missing.
  public func object(at path: ListPath) -> Object? { fetched.object(at: path) }

  /// The names of the object at a path and of those that it refers to.
  public func objectIDs(at path: ListPath) -> RelatedObjectIDs { fetched.objectIDs(at: path) }

  /// The number of sections, or nil before the first fetch.
  public var numberOfSections: Int? { snapshot?.numberOfSections }

  /// The number of rows of a section, or 0 before the first fetch.
  public func numberOfRows(inSection section: Int) -> Int {
    snapshot?.numberOfRows(inSection: section) ?? 0
  }

  /// The title of a section, or nil before the first fetch.
  public func sectionName(at section: Int) -> String? { snapshot?.sectionName(at: section) }

  /// The titles of an index, each one once.
  public var sectionIndexTitles: [String] { snapshot?.sectionIndexTitles ?? [] }

  /// The first section with a title of the index.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    fetched.section(forSectionIndexTitle: title, at: index)
  }
}
