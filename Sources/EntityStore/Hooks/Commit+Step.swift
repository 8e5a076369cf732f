extension Commit {
  /// A step of a commit, in the order in which commits take them.
  ///
  ///     let waited = report.commit?[.waiting] ?? .zero
  public enum Step: Int, CaseIterable, Sendable {
    /// Other writers were waited for.
    case waiting
    /// A transaction was begun, and external commits were merged.
    case merging
    /// The app's body ran.
    case body
    /// The rules of the schemas were checked.
    case rules
    /// The changes were written to the transaction.
    case storing
    /// Results and values that the commit concerns were brought up to date.
    case preparing
    /// The transaction was committed, so that readers see it.
    case sealing
    /// The deliveries were lined up.
    case installing
    /// The storage made the commit durable.
    case syncing
    /// Immediate subscribers were called.
    case delivering
  }
}
