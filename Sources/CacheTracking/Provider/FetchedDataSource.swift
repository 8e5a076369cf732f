public import EntityStore
public import ListDiffing

/// What a screen asks for a list of objects: how many sections and rows, what is in them, what they are called.
///
/// The provider of the data is one, and so is each version of the data. A presenter is one for its view, by passing
/// the questions on: see ``MappedDataSource``. A class of the main actor may conform.
///
/// No answer runs a query. All take O(1) or O(log *n*), where *n* is the number of objects, except as noted.
public protocol FetchedDataSource<Object> {
  /// What the rows are.
  associatedtype Object

  /// All objects that can be shown, in order, or nil if nothing has been fetched yet.
  ///
  /// - Complexity: O(*n*), where *n* is the number of objects.
  var objects: [Object]? { get }

  /// The object at a path, or nil if the row has nothing that can be shown.
  ///
  /// - Precondition: The path is in the list.
  func object(at path: ListPath) -> Object?

  /// The names of the object at a path and of those that it refers to.
  ///
  /// - Precondition: The path is in the list.
  func objectIDs(at path: ListPath) -> RelatedObjectIDs

  /// The number of sections, or nil if nothing has been fetched yet.
  var numberOfSections: Int? { get }

  /// The number of rows of a section, or 0 if nothing has been fetched yet.
  ///
  /// - Precondition: The section is in the list, if that has been fetched.
  func numberOfRows(inSection section: Int) -> Int

  /// The title of a section, or nil if nothing has been fetched yet.
  ///
  /// - Precondition: The section is in the list, if that has been fetched.
  func sectionName(at section: Int) -> String?

  /// The titles of an index beside the list: each one once, in the order of the sections.
  ///
  /// - Complexity: O(*s* log *s*), where *s* is the number of sections.
  var sectionIndexTitles: [String] { get }

  /// The first section with a title of the index, which is at a position of ``sectionIndexTitles``.
  ///
  /// - Precondition: The title is at that position.
  /// - Complexity: O(*s* log *s*), where *s* is the number of sections.
  func section(forSectionIndexTitle title: String, at index: Int) -> Int

  /// The title in the index of a section with a name: its first character, in upper case; nil if there is none.
  func sectionIndexTitle(forSectionName name: String) -> String?
}

extension FetchedDataSource {
  /// The first character, in upper case.
  public func sectionIndexTitle(forSectionName name: String) -> String? {
    name.first.map { String($0).uppercased() }
  }
}

/// The names of an object and of those that it refers to.
public struct RelatedObjectIDs: Hashable, Sendable {
  /// The object.
  public let object: ObjectID

  /// The objects that it refers to, by the name of the reference; those that are nil are left out.
  public let related: [String: ObjectID]
}
