/// A rule about several attributes of an entity, or an index over them.
public struct Rule<Root: Entity>: @unchecked Sendable {
  // @unchecked: key paths to properties capture nothing.
  enum Kind {
    case unique
    case index
  }

  let kind: Kind
  let paths: [AnyKeyPath]

  /// No two objects have the same values of these attributes.
  ///
  /// Where one of them is nil, the rule says nothing, as in SQL.
  public static func unique<each Value: Storable>(_ path: repeat KeyPath<Root, each Value>) -> Rule
  {
    var paths: [AnyKeyPath] = []
    for path in repeat each path { paths.append(path) }
    return Rule(kind: .unique, paths: paths)
  }

  /// Objects are found quickly by the values of these attributes.
  public static func index<each Value: Storable>(_ path: repeat KeyPath<Root, each Value>) -> Rule {
    var paths: [AnyKeyPath] = []
    for path in repeat each path { paths.append(path) }
    return Rule(kind: .index, paths: paths)
  }
}
