public import EntityStore

extension StorageKind {
  /// The access that a store has to its file.
  ///
  ///     let store = try Store(.sqlite(path: path, access: .readOnly), entities: [Dog.self])
  public enum FileAccess: Sendable, Hashable {
    /// The store reads and writes the file, creates it if it doesn't exist, and migrates it.
    case readWrite
    /// The store only reads the file, as a widget does.
    ///
    /// It writes no byte to the file or the files beside it, and creates, renames and deletes none.
    /// It takes no lock that keeps another process from committing or from opening the file, so its
    /// process may be stopped or killed at any time. Only a file that no store has opened for
    /// writing since a tool made it, as by `VACUUM INTO`, is locked while it is read. Models,
    /// events and `backUp` work as in any other store. What would write throws a fault of the kind
    /// ``/EntityStore/StorageFault/Kind/readOnly``: a commit before its body runs, `undo()`,
    /// `eraseDeleted()`, `changeKey(to:)`.
    ///
    /// The file must exist and fit the schemas. Otherwise opening throws `cannotOpen` or
    /// `schemaMismatch`: the app has to open it first. A read at the moment in which another
    /// process opens the file may throw `busy`. Try it again then.
    ///
    /// In the process of a store that writes to the same file, open that store first. SQLite shares
    /// a file's memory among the connections of a process, in the way in which the first one opened
    /// it.
    case readOnly
  }
}
