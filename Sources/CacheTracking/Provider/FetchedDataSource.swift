public import EntityStore
public import ListDiffing

/// A list of objects as a screen reads it: the numbers of sections and rows, their objects and
/// their titles.
///
///     let count = source.numberOfRows(inSection: 0)
///     let car = source.object(at: ListPath(section: 0, row: 0))
///
/// The provider of the data conforms, and so does each version of the data. A presenter conforms
/// for its view: it forwards the calls, and maps the objects. A class of the main actor may
/// conform.
///
/// No method runs a query. All take O(1) or O(log *n*), where *n* is the number of objects, except
/// as noted.
public protocol FetchedDataSource<Object> {
  /// The type of the rows.
  associatedtype Object

  /// All objects that can be shown, in order, or nil if nothing has been fetched yet.
  ///
  /// - Complexity: O(*n*), where *n* is the number of objects.
  var objects: [Object]? { get }

  /// Returns the object at a path, or nil if the row has nothing that can be shown.
  ///
  /// - Precondition: The path is in the list.
  func object(at path: ListPath) -> Object?

  /// Returns the ids of the object at a path and of the objects that it refers to.
  ///
  /// - Precondition: The path is in the list.
  func objectIDs(at path: ListPath) -> RelatedObjectIDs

  /// The number of sections, or nil if nothing has been fetched yet.
  var numberOfSections: Int? { get }

  /// Returns the number of rows in a section, or 0 if nothing has been fetched yet.
  ///
  /// - Precondition: The section is in the list, if it has been fetched.
  func numberOfRows(inSection section: Int) -> Int

  /// Returns the title of a section, or nil if nothing has been fetched yet.
  ///
  /// - Precondition: The section is in the list, if it has been fetched.
  func sectionName(at section: Int) -> String?

  /// The titles of a section index beside the list, without repetitions, in the order of the
  /// sections.
  ///
  /// - Complexity: O(*s* log *s*), where *s* is the number of sections.
  var sectionIndexTitles: [String] { get }

  /// Returns the first section that has the title at a position of ``sectionIndexTitles``.
  ///
  /// - Precondition: The title is at that position.
  /// - Complexity: O(*s* log *s*), where *s* is the number of sections.
  func section(forSectionIndexTitle title: String, at index: Int) -> Int

  /// Returns the title in the section index for a section name: its first character, in upper case.
  ///
  /// The result is nil if the name is empty.
  func sectionIndexTitle(forSectionName name: String) -> String?
}

extension FetchedDataSource {
  /// Returns the first character, in upper case.
  public func sectionIndexTitle(forSectionName name: String) -> String? {
    name.first.map { String($0).uppercased() }
  }
}

/// The ids of an object and of the objects that it refers to.
///
///     let ids = source.objectIDs(at: path)
///     ids.related["owner"]  // the id of the owner, or nil if there is none
public struct RelatedObjectIDs: Hashable, Sendable {
  /// The id of the object.
  public let object: ObjectID

  /// The ids of the objects that it refers to, by the name of the reference.
  ///
  /// References that are nil are omitted.
  public let related: [String: ObjectID]
}
