internal import Locking

/// A rule about the attributes of an entity, or an index over them.
public struct Rule<Root: Entity>: @unchecked Sendable {
  // @unchecked: key paths to properties capture nothing.
  enum Kind {
    case unique
    case index
    case required
    case check(String, @Sendable (EntityRow) -> Bool)
    case renamedFrom([String])
    case dropped([String])
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

  /// Objects are found quickly by the values of these attributes, and by ranges of the first.
  public static func index<each Value: Storable>(_ path: repeat KeyPath<Root, each Value>) -> Rule {
    var paths: [AnyKeyPath] = []
    for path in repeat each path { paths.append(path) }
    return Rule(kind: .index, paths: paths)
  }

  /// An attribute that may be nil in the making is not when a commit ends.
  ///
  /// What is never nil has a type that says so, and needs no rule.
  public static func required<Value: Storable>(_ path: KeyPath<Root, Value?>) -> Rule {
    Rule(kind: .required, paths: [path])
  }

  /// Every object meets a condition of your own when a commit ends.
  ///
  ///     .check("the mileage is not negative") { $0.mileage >= 0 }
  ///
  /// - Parameters:
  ///   - name: what is true of every object; a refusal names it.
  ///   - isMet: whether it is true of an object; a function of the object alone.
  /// - Returns: the rule.
  public static func check(_ name: String, _ isMet: @escaping @Sendable (Root) -> Bool) -> Rule {
    Rule(kind: .check(name) { isMet($0.value(as: Root.self)) }, paths: [])
  }

  /// The entity had other names before, newest first.
  ///
  /// A file that has its objects under one of them gets the new name when it is opened. Another entity may
  /// have the old name today, also one whose own name this one has. Leave the rule where it is, and add to
  /// it: a file may be opened years later.
  public static func renamedFrom(_ names: String...) -> Rule {
    Rule(kind: .renamedFrom(names), paths: [])
  }

  /// The entity had these attributes and has them no more.
  ///
  /// A file loses their values when it is opened; what isn't named here is never dropped, so that a
  /// program which doesn't know an attribute yet takes none away. Leave the rule where it is: a file may
  /// be opened years later.
  public static func dropped(_ names: String...) -> Rule {
    Rule(kind: .dropped(names), paths: [])
  }
}
