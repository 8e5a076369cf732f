public import ListDiffing

// The methods of a data source, for the visible version.
extension FetchedDataProvider {
  /// All objects that can be shown, in order, or nil before the first fetch.
  public var objects: [Object]? { snapshot?.objects }

  /// Returns the object at a path, or nil if a part of it is missing.
  public func object(at path: ListPath) -> Object? { fetched.object(at: path) }

  /// Returns the ids of the object at a path and of the objects that it refers to.
  public func objectIDs(at path: ListPath) -> RelatedObjectIDs { fetched.objectIDs(at: path) }

  /// The number of sections, or nil before the first fetch.
  public var numberOfSections: Int? { snapshot?.numberOfSections }

  /// Returns the number of rows in a section, or 0 before the first fetch.
  public func numberOfRows(inSection section: Int) -> Int {
    snapshot?.numberOfRows(inSection: section) ?? 0
  }

  /// Returns the title of a section, or nil before the first fetch.
  public func sectionName(at section: Int) -> String? { snapshot?.sectionName(at: section) }

  /// The titles of the section index, without repetitions.
  public var sectionIndexTitles: [String] { snapshot?.sectionIndexTitles ?? [] }

  /// Returns the first section that has a title of the section index.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    fetched.section(forSectionIndexTitle: title, at: index)
  }
}
