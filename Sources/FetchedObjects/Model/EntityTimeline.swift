internal import EntityStore
internal import Relays

/// What an observed object shows, and what has been committed but isn't shown yet.
///
/// A value with no locks: its owner puts it under one.
struct EntityTimeline: Sendable {
  /// An object in one version.
  struct Content: Sendable {
    /// The object, or as it was last; nil if it has never been there.
    let row: ResultRow?
    let state: ObservedEntityState

    func differs(from other: Content) -> Bool {
      if state != other.state { return true }
      guard let row, let old = other.row else { return false }
      return row.differs(from: old)
    }
  }

  /// From one shown content to the next.
  struct Event: Sendable {
    let before: Content
    let after: Content
    /// The versions of the commits.
    let versions: ClosedRange<Int64>
  }

  /// What there is to tell.
  enum News: Sendable {
    case event(Event)
    case error(any Error)
    /// The object could be read again, and is what is shown.
    case recovery
  }

  private enum Waiting: Sendable {
    case content(Content, versions: ClosedRange<Int64>)
    case error(any Error, version: Int64)

    /// The version of the first commit in it.
    var first: Int64 {
      switch self {
      case .content(_, let versions): versions.lowerBound
      case .error(_, let version): version
      }
    }
  }

  private(set) var shown: Content
  /// The newest content, shown or not.
  private(set) var newest: Content
  /// Whether the last commit couldn't be read, so that `newest` may be older.
  private(set) var isStale = false
  /// The last error that has been shown, until the object could be read again.
  private(set) var error: (any Error)?
  private var errorVersion: Int64 = 0
  private(set) var isPaused = false
  private let policy: DeliveryPolicy
  private var waiting = ShortFifo<Waiting>()
  /// The version of the last commit that was taken in.
  private var lastVersion: Int64 = 0
  /// What has been shown and whose subscribers haven't been called.
  private var untold = ShortFifo<News>()

  init(_ content: Content, policy: DeliveryPolicy) {
    shown = content
    newest = content
    self.policy = policy
  }

  // MARK: What commits bring

  mutating func append(_ content: Content, version: Int64) {
    newest = content
    isStale = false
    lastVersion = version
    waiting.append(.content(content, versions: version...version))
    // At once, so that what waits for a busy place doesn't grow.
    if isPaused || policy == .latest { merge() }
  }

  mutating func append(_ error: any Error, version: Int64) {
    isStale = true
    lastVersion = version
    waiting.append(.error(error, version: version))
  }

  /// Makes one content of all that wait, after their errors.
  private mutating func merge() {
    var errors: [Waiting] = []
    var merged: (content: Content, versions: ClosedRange<Int64>)?
    while let next = waiting.popFirst() {
      switch next {
      case .error: errors.append(next)
      case .content(let content, let versions):
        let first = merged?.versions.lowerBound ?? versions.lowerBound
        merged = (content, first...versions.upperBound)
      }
    }
    for error in errors { waiting.append(error) }
    if let merged { waiting.append(.content(merged.content, versions: merged.versions)) }
  }

  // MARK: Showing

  /// Shows the commit with a version, and under `.latest` those after it too.
  mutating func show(_ version: Int64) {
    guard !isPaused, let first = waiting.first, first.first <= version else { return }
    while let next = waiting.first, next.first <= version || policy == .latest {
      waiting.popFirst()
      switch next {
      case .content(let content, let versions): show(content, versions)
      case .error(let error, let version):
        self.error = error
        errorVersion = version
        untold.append(.error(error))
      }
    }
  }

  private mutating func show(_ content: Content, _ versions: ClosedRange<Int64>) {
    let recovers = error != nil && versions.upperBound > errorVersion
    if recovers { error = nil }
    // Merged commits may have led back to the same value.
    if content.differs(from: shown) {
      untold.append(.event(Event(before: shown, after: content, versions: versions)))
    } else if recovers {
      untold.append(.recovery)
    }
    shown = content
  }

  /// The next that is to be told.
  mutating func popNews() -> News? { untold.popFirst() }

  // MARK: Pausing

  mutating func pause() { isPaused = true }

  /// Ends the pause, and merges what waits.
  ///
  /// - Returns: the version up to which is to be shown, or nil if nothing waits.
  mutating func resume() -> Int64? {
    isPaused = false
    merge()
    return waiting.isEmpty ? nil : lastVersion
  }
}

/// A queue that mostly holds one element at most, and then takes no memory of its own.
private struct ShortFifo<Element: Sendable>: Sendable {
  private(set) var first: Element?
  private var rest = Fifo<Element>()

  var isEmpty: Bool { first == nil }

  mutating func append(_ element: Element) {
    if first == nil {
      first = element
    } else {
      rest.append(element)
    }
  }

  @discardableResult mutating func popFirst() -> Element? {
    guard let element = first.take() else { return nil }
    first = rest.popFirst()
    return element
  }
}
