@_spi(Storage) internal import EntityStore
public import FetchedObjects
public import ListDiffing

/// One version of a provider's data: immutable, and O(1) to copy and keep.
///
///     let car = provider.snapshot?.object(at: ListPath(section: 0, row: 0))
///
/// Objects are made on request.
public struct FetchedDataSnapshot<Mapping: DataMapping>: FetchedDataSource, Sendable {
  /// The result that the objects are made from.
  public let result: ListSnapshot<EntityView<Mapping.E>>

  /// The mapping that makes the objects.
  public let mapping: Mapping

  init(_ result: ListSnapshot<EntityView<Mapping.E>>, _ mapping: Mapping) {
    self.result = result
    self.mapping = mapping
  }

  /// All objects that can be shown, in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of objects.
  public var objects: [Mapping.Object]? {
    result.sections.flatMap { section in section.compactMap { mapping.object($0) } }
  }

  /// Returns the object at a path, or nil if a part of it is missing.
  ///
  /// - Precondition: The path is in the list.
  public func object(at path: ListPath) -> Mapping.Object? { mapping.object(result[path]) }

  /// Returns the ids of the object at a path and of the objects that it refers to.
  ///
  /// - Precondition: The path is in the list.
  public func objectIDs(at path: ListPath) -> RelatedObjectIDs { result[path].relatedObjectIDs }

  /// The number of sections.
  public var numberOfSections: Int? { result.sections.count }

  /// Returns the number of rows in a section.
  ///
  /// - Precondition: The section is in the list.
  public func numberOfRows(inSection section: Int) -> Int { result.sections[section].count }

  /// Returns the title of a section.
  ///
  /// - Precondition: The section is in the list.
  public func sectionName(at section: Int) -> String? { result.sections[section].name }

  /// The titles of the section index, without repetitions.
  public var sectionIndexTitles: [String] { result.sectionIndexTitles }

  /// Returns the first section that has a title of the section index.
  ///
  /// - Precondition: The title is at that position.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    result.section(forSectionIndexTitle: title, at: index)
  }
}

extension EntityView {
  /// The ids of the object and of the objects that it refers to.
  ///
  /// - Precondition: It is an object of the result itself.
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
