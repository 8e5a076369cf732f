public import ListDiffing

/// A data source for a view that is based on another one, as a presenter provides it.
///
///     var viewModels: some FetchedDataSource<CarViewModel> {
///       MappedDataSource(source) { CarViewModel($0, dates: dates) }
///     }
///
/// Objects are made on request. It holds the base if that is a class instance. A presenter creates
/// it again for each use, or bases it on a snapshot.
public struct MappedDataSource<Base: FetchedDataSource, Object>: FetchedDataSource {
  private let base: Base
  private let transform: (Base.Object) -> Object

  /// Creates a data source that returns the transformed objects of a base.
  public init(_ base: Base, _ transform: @escaping (Base.Object) -> Object) {
    self.base = base
    self.transform = transform
  }

  /// All transformed objects, or nil if nothing has been fetched yet.
  public var objects: [Object]? { base.objects?.map(transform) }

  /// Returns the transformed object at a path.
  public func object(at path: ListPath) -> Object? { base.object(at: path).map(transform) }

  /// Returns the ids of the object at a path and of the objects that it refers to.
  public func objectIDs(at path: ListPath) -> RelatedObjectIDs { base.objectIDs(at: path) }

  /// The number of sections, or nil if nothing has been fetched yet.
  public var numberOfSections: Int? { base.numberOfSections }

  /// Returns the number of rows in a section.
  public func numberOfRows(inSection section: Int) -> Int { base.numberOfRows(inSection: section) }

  /// Returns the title of a section.
  public func sectionName(at section: Int) -> String? { base.sectionName(at: section) }

  /// The titles of the section index.
  public var sectionIndexTitles: [String] { base.sectionIndexTitles }

  /// Returns the first section that has a title of the section index.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    base.section(forSectionIndexTitle: title, at: index)
  }

  /// Returns the title in the section index for a section name.
  public func sectionIndexTitle(forSectionName name: String) -> String? {
    base.sectionIndexTitle(forSectionName: name)
  }
}
