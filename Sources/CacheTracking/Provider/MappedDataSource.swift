public import ListDiffing

/// A data source for a view, made of another one: what a presenter hands on.
///
///     var viewModels: some FetchedDataSource<CarViewModel> {
///       MappedDataSource(source) { CarViewModel($0, dates: dates) }
///     }
///
/// Objects are made when they are asked for. It keeps the source if that is an object; a presenter makes it anew or
/// holds a snapshot.
public struct MappedDataSource<Base: FetchedDataSource, Object>: FetchedDataSource {
  private let base: Base
  private let transform: (Base.Object) -> Object

  /// Creates a data source that gives what `transform` makes of a base's objects.
  public init(_ base: Base, _ transform: @escaping (Base.Object) -> Object) {
    self.base = base
    self.transform = transform
  }

  /// What is made of all objects, or nil if nothing has been fetched yet.
  public var objects: [Object]? { base.objects?.map(transform) }

  /// What is made of the object at a path.
  public func object(at path: ListPath) -> Object? { base.object(at: path).map(transform) }

  /// The names of the object at a path and of those that it refers to.
  public func objectIDs(at path: ListPath) -> RelatedObjectIDs { base.objectIDs(at: path) }

  /// The number of sections, or nil if nothing has been fetched yet.
  public var numberOfSections: Int? { base.numberOfSections }

  /// The number of rows of a section.
  public func numberOfRows(inSection section: Int) -> Int { base.numberOfRows(inSection: section) }

  /// The title of a section.
  public func sectionName(at section: Int) -> String? { base.sectionName(at: section) }

  /// The titles of an index.
  public var sectionIndexTitles: [String] { base.sectionIndexTitles }

  /// The first section with a title of the index.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    base.section(forSectionIndexTitle: title, at: index)
  }

  /// The title in the index of a section with a name.
  public func sectionIndexTitle(forSectionName name: String) -> String? {
    base.sectionIndexTitle(forSectionName: name)
  }
}
