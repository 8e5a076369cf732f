internal import Locking

/// An operation of a store, from its beginning to its end.
///
///     func began(_ operation: StoreOperation) { log("\(operation)") }  // commit "Rename"
///
/// It identifies the operation in both calls of ``StoreHooks``.
public struct StoreOperation: Identifiable, Hashable, Sendable {
  /// The kinds of operation.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A storage is opened and, if it has to be, migrated.
    ///
    /// It may fail. Then there is no store.
    case opening
    /// A commit is made, also by `undo`, `redo` and `replay`.
    case commit
    /// An app reads: `read`, `find`, `fetch`, `count`, `version` and the like.
    case read
    /// External commits are merged by the watcher or by `refresh()`, between commits of this store.
    ///
    /// The watcher may find that the commit it has noticed is this store's own. A model may have to
    /// merge, too, when its query is replaced. It holds locks meanwhile, so both calls come
    /// afterwards.
    case merging
    /// The watcher has found that external commits can't be read, as in ``Store/errors``.
    ///
    /// The report has the error.
    case watching
    /// The storage is maintained, by `eraseDeleted()`, by `changeKey(to:)`, or by `clearHistory()`
    /// of a file that keeps the history.
    case maintenance
    /// The store is closed.
    case closing
  }

  /// A number that no other operation of this process has.
  public let id: Int
  /// The kind of operation.
  public let kind: Kind
  /// The name of a commit, or nil.
  public let name: String?

  private static let lastID = AtomicWord(0)

  init(_ kind: Kind, name: String? = nil) {
    id = Self.lastID.add(1)
    self.kind = kind
    self.name = name
  }
}

extension StoreOperation: CustomStringConvertible {
  /// The kind and the name: `commit "Rename"`.
  ///
  /// Control characters in the name are written as escapes.
  public var description: String {
    kind.rawValue + (name.map { " \"\($0.harmless(atMost: WordLimit.value))\"" } ?? "")
  }
}
