internal import EntityStore
public import FetchedObjects
public import ListDiffing

/// One version of a provider's data: immutable, and O(1) to copy and keep.
///
/// Objects are made when they are asked for.
public struct FetchedDataSnapshot<Mapping: DataMapping>: FetchedDataSource, Sendable {
  /// The result that the objects are made of.
  public let result: FetchedObjectsSnapshot<Mapping.E>

  /// What makes them.
  public let mapping: Mapping

  init(_ result: FetchedObjectsSnapshot<Mapping.E>, _ mapping: Mapping) {
    self.result = result
    self.mapping = mapping
  }

  /// All objects that can be shown, in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of objects.
  public var objects: [Mapping.Object]? {
    result.sections.flatMap { section in section.compactMap { mapping.object($0) } }
  }

  /// The object at a path, or nil if a part of it is missing.
  ///
  /// - Precondition: The path is in the list.
  public func object(at path: ListPath) -> Mapping.Object? { mapping.object(result[path]) }

  /// The names of the object at a path and of those that it refers to.
  ///
  /// - Precondition: The path is in the list.
  public func objectIDs(at path: ListPath) -> RelatedObjectIDs { result[path].relatedObjectIDs }

  /// The number of sections.
  public var numberOfSections: Int? { result.sections.count }

  /// The number of rows of a section.
  ///
  /// - Precondition: The section is in the list.
  public func numberOfRows(inSection section: Int) -> Int { result.sections[section].count }

  /// The title of a section.
  ///
  /// - Precondition: The section is in the list.
  public func sectionName(at section: Int) -> String? { result.sections[section].name }

  /// The titles of an index, each one once.
  public var sectionIndexTitles: [String] { result.sectionIndexTitles }

  /// The first section with a title of the index.
  ///
  /// - Precondition: The title is at that position.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    result.section(forSectionIndexTitle: title, at: index)
  }
}

extension EntityView {
  /// The names of the object and of those that it refers to.
  ///
  /// - Precondition: It is the result's own object.
  fileprivate var relatedObjectIDs: RelatedObjectIDs {
    let entity = E.schema.entity
    var related: [String: ObjectID] = [:]
    for column in entity.references {
      guard let reference = entity.columns[column].reference else { continue }
      let id = storedRow.value(at: column)
      if !id.isNull {
        related[entity.columns[column].name] = ObjectID(entityName: reference.target.name, id: id)
      }
    }
    return RelatedObjectIDs(object: ObjectID(E.self, id), related: related)
  }
}
