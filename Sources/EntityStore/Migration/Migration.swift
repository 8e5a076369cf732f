internal import Locking

/// A named change of a store's objects that needs code.
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
/// A file, or a schema of a server, runs each migration of the list once, in the list's order, and
/// records its name. A new one runs none and records all names. So every program that creates or
/// opens it needs the same list, also one that only reads. A backup of a store in memory needs it,
/// too. A file made without the list has objects in today's form and no names. It can't be
/// distinguished from a file that is as old as the first version of the app. If a migration runs on
/// such a file and reads an attribute that these objects never had, it is refused, and the file
/// stays as it was. A migration that reads only existing attributes runs. If such files may exist,
/// or if a user may skip the release that had the attribute, let the migration check first:
///
///     guard try context.attributes(of: "Person").contains("name") else { return }
///
/// Everything that one opening changes is one transaction. If a migration throws or is cancelled,
/// or its result doesn't fit the schemas, the file is as it was.
///
/// All named migrations run first, on the tables as the file has them, and under the names that
/// these have. Then the tables are compared with the schemas. Changes that need no code
/// (`renamedFrom`, `dropped`, defaults) are made once, from the file's tables to today's
/// declarations. So a migration doesn't need to know today's schema, and years later it runs as it
/// did at first. But when it runs, none of the changes without code has been made that belong to
/// the versions in between. If a migration relies on the newer name of an attribute or an entity,
/// put the renaming into the list before it, as a migration with
/// ``Migration/Context/rename(_:to:in:)`` or ``Migration/Context/renameEntity(_:to:)``. It does
/// nothing where the renaming has been done. Without it, the migration is refused in a store that
/// still has the former name.
///
/// Leave migrations in the list. A file with a name that isn't in the list is considered to be from
/// a later version of the app, and is refused. So an empty migration marks the schema's version:
/// `Migration("2.0") { _ in }`.
public struct Migration: Sendable {
  /// The name that files record.
  public let name: String
  package let body: @Sendable (Migration.Context) throws -> Void

  /// Creates a migration.
  ///
  /// - Parameters:
  ///   - name: a name that no other migration of the list has, and that never changes.
  ///   - body: the code of the migration. If it throws, opening the store throws its error.
  /// - Precondition: the name isn't empty.
  public init(_ name: String, _ body: @escaping @Sendable (Migration.Context) throws -> Void) {
    mustHold(!name.isEmpty, "A migration has an empty name; say what it does")
    self.name = name
    self.body = body
  }

  package static func names(_ migrations: [Migration]) -> Set<ExactText> {
    Set(migrations.map { ExactText($0.name) })
  }

  /// Checks that no two migrations of a list have the same name.
  package static func checkNames(_ migrations: [Migration]) {
    var names: Set<ExactText> = []
    for migration in migrations {
      mustHold(
        names.insert(ExactText(migration.name)).inserted,
        "Two migrations are named \"\(migration.name)\"; give one another name")
    }
  }
}
