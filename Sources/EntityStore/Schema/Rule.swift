internal import Locking

/// A rule about the attributes of an entity, or an index over them.
///
///     static let schema = Schema(
///       attributes, Car.init, rules: [.unique(\.model, \.year), .index(\.year)])
public struct Rule<Root: Entity>: @unchecked Sendable {
  // @unchecked: key paths to properties capture nothing.
  enum Kind {
    case unique
    case index
    case fullText
    case required
    case check(String, @Sendable (EntityRow) -> Bool)
    case renamedFrom([String])
    case dropped([String])
  }

  let kind: Kind
  let paths: [AnyKeyPath]

  /// Returns the rule that no two objects have the same values of these attributes.
  ///
  /// As in SQL, the rule doesn't apply if one of them is nil.
  public static func unique<each Value: Storable>(_ path: repeat KeyPath<Root, each Value>) -> Rule
  {
    var paths: [AnyKeyPath] = []
    for path in repeat each path { paths.append(path) }
    return Rule(kind: .unique, paths: paths)
  }

  /// Returns an index over these attributes.
  ///
  /// Objects are found quickly by the values of all attributes, or of the first ones, and by ranges
  /// of the next one. Where the first ones are fixed, the order by the next one is quick, too.
  ///
  ///     rules: [.index(\.room, \.sentAt)]  // the last 50 messages of a room
  public static func index<each Value: Storable>(_ path: repeat KeyPath<Root, each Value>) -> Rule {
    var paths: [AnyKeyPath] = []
    for path in repeat each path { paths.append(path) }
    return Rule(kind: .index, paths: paths)
  }

  /// Returns an index over the words of these texts, for ``SearchPattern``.
  ///
  ///     static let schema = Schema(attributes, Note.init, rules: [.fullText(\.title, \.text)])
  ///     …
  ///     store.fetch(Query<Note>().matching("tea gard*"))
  ///
  /// The index is kept in memory with a store in memory, and in the file otherwise.
  ///
  /// - Precondition: the attributes are of type `String`, optional or not, and the schema has one
  ///   such rule at most.
  public static func fullText<each Value: Storable>(
    _ path: repeat KeyPath<Root, each Value>
  ) -> Rule {
    var paths: [AnyKeyPath] = []
    for path in repeat each path { paths.append(path) }
    return Rule(kind: .fullText, paths: paths)
  }

  /// Returns the rule that an optional attribute isn't nil when a commit ends.
  ///
  /// The attribute may be nil before that. An attribute that is never nil should have a type that
  /// isn't optional, and then needs no rule.
  public static func required<Value: Storable>(_ path: KeyPath<Root, Value?>) -> Rule {
    Rule(kind: .required, paths: [path])
  }

  /// Returns the rule that every object meets a custom condition when a commit ends.
  ///
  ///     .check("the mileage is not negative") { $0.mileage >= 0 }
  ///
  /// - Parameters:
  ///   - name: a sentence that is true of every object. The error names it.
  ///   - isMet: returns true if the sentence is true of an object; a function of the object alone.
  ///     It runs after the commit's body, and must not commit.
  /// - Returns: the rule.
  public static func check(_ name: String, _ isMet: @escaping @Sendable (Root) -> Bool) -> Rule {
    Rule(kind: .check(name) { isMet($0.value(as: Root.self)) }, paths: [])
  }

  /// Returns the names that the entity had before, newest first.
  ///
  /// If a file has the entity's objects under one of them, they get the new name when the file is
  /// opened. Another entity may have the old name today, even the entity whose name this one has
  /// now. Keep the rule, and add to it: a file may be opened years later.
  public static func renamedFrom(_ names: String...) -> Rule {
    Rule(kind: .renamedFrom(names), paths: [])
  }

  /// Returns the names of attributes that the entity had and no longer has.
  ///
  /// A file loses their values when it is opened. Other attributes are never dropped, so a program
  /// that doesn't know an attribute yet removes none. Keep the rule: a file may be opened years
  /// later.
  ///
  /// A reference to an object whose id has several parts has a column for each. In a file its name
  /// stands for them. If it was late-bound, if a migration rewrites the entity, and in a server,
  /// name the columns as well:
  /// `.dropped("seat", "seat_train", "seat_number")`.
  public static func dropped(_ names: String...) -> Rule {
    Rule(kind: .dropped(names), paths: [])
  }
}
