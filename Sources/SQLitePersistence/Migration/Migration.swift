internal import Locking

/// A named change of a file's objects that needs code.
///
///     let store = try Store(
///       .sqlite(
///         path: "garage.db",
///         migrations: [
///           Migration("split the name") { context in
///             try context.rewrite("Person") { old in
///               var new = old
///               let words = try old.value("name", as: String.self)?.split(separator: " ") ?? []
///               new["firstName"] = .text(words.first.map(String.init) ?? "")
///               new["lastName"] = .text(words.dropFirst().joined(separator: " "))
///               new.remove("name")
///               return new
///             }
///           }
///         ]),
///       entities: [Person.self])
///
/// A file runs each migration of the list once, in the list's order, and keeps its name. A new file
/// runs none and keeps all names. So every program that makes or opens the file needs the same list, as
/// does ``EntityStore/Store/backUp(to:migrations:replacingFile:pagesAtATime:progress:)`` of a store in
/// memory: a file made without it has objects of today and no names, and nothing tells it from one that
/// is as old as the first version of the app. A migration that is run on such a file and reads an attribute
/// that these objects never had is refused, with the file as it was; one that reads what is there runs.
/// Where such files are about, let it look first:
///
///     guard try context.attributes(of: "Person").contains("name") else { return }
///
/// Everything that one opening changes is one transaction: if a
/// migration throws or is cancelled, or what it leaves doesn't fit the schemas, the file is as it was.
///
/// All named ones run first, on the tables as the file has them, and under the names that these have.
/// Then the tables are compared with the schemas: what needs no code is done (`renamedFrom`, `dropped`,
/// defaults), once, from what is there to what is declared today. So a migration need not know today's
/// schema, and runs years later as it did at first; but no such change of the versions between has
/// been made before it. If a migration counts on an attribute's newer name, put the renaming into the
/// list before it, as a migration with ``MigrationContext/rename(_:to:in:)``, which does nothing where
/// it has been done.
///
/// Leave migrations in the list: a file with a name that isn't in it is taken for one of a later version
/// of the app, and refused. So an empty migration marks the schema's version:
/// `Migration("2.0") { _ in }`.
public struct Migration: Sendable {
  /// The name that files keep.
  public let name: String
  let body: @Sendable (MigrationContext) throws -> Void

  /// A migration.
  ///
  /// - Parameters:
  ///   - name: a name that no other migration of the list has, and that never changes.
  ///   - body: what it does. What it throws, opening the store throws.
  /// - Precondition: the name isn't empty.
  public init(_ name: String, _ body: @escaping @Sendable (MigrationContext) throws -> Void) {
    mustHold(!name.isEmpty, "A migration has an empty name; say what it does")
    self.name = name
    self.body = body
  }

  /// The names of a list.
  static func names(_ migrations: [Migration]) -> Set<ExactText> {
    Set(migrations.map { ExactText($0.name) })
  }

  /// Checks that no two of a list have one name.
  static func checkNames(_ migrations: [Migration]) {
    var names: Set<ExactText> = []
    for migration in migrations {
      mustHold(
        names.insert(ExactText(migration.name)).inserted,
        "Two migrations are named \"\(migration.name)\"; give one another name")
    }
  }
}
