public import Signalbox

/// Something to do.
public struct Todo: Entity {
  /// The number by which it is known.
  public let id: Int
  /// The text.
  public var title: String
  /// The title of its list.
  public var list: String
  /// True if it has been done.
  public var isDone: Bool

  /// Something to do, of all its parts.
  public init(id: Int, title: String, list: String = "Home", isDone: Bool = false) {
    (self.id, self.title, self.list, self.isDone) = (id, title, list, isDone)
  }

  /// The stored attributes.
  public static let attributes = Attributes(
    .id(\Todo.id), .attribute("title", \.title), .attribute("list", \.list),
    .attribute("isDone", \.isDone))
  /// The schema.
  public static let schema = Schema(
    attributes, Todo.init,
    rules: [.check("a title isn't empty") { $0.title != "" }])
}
