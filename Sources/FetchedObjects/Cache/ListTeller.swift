internal import ListDiffing
internal import Locking
internal import Relays

/// What shows a list in its place and says there what changes.
protocol ListSource<List>: AnyObject, Sendable {
  associatedtype List: TrackedList

  /// The list as it is shown now.
  var shown: List { get }
}

/// Shows a list and tells its changes, so that each step leads on from where the last one led.
///
/// It remembers which list it shows, which is what it has told or is about to tell: a step of its source is shown
/// before any callback in the place, and told in its turn (F13). Where a step leads on from what is shown its changes
/// are taken over; otherwise the two lists are compared.
final class ListTeller<List: TrackedList, Tag: Sendable>: Sendable {
  /// What is told at a time.
  struct Step {
    /// Nil for the first list.
    let before: List?
    /// Empty for the first list.
    let changes: ListChanges
    let after: List
    let tag: Tag
    /// Whether it is the first of its source.
    let isFirst: Bool
  }

  /// A step as a source gives it.
  struct Event: Sendable {
    let before: List
    let after: List
    let changes: @Sendable () -> ListChanges
  }

  private struct State: Sendable {
    var source: (any ListSource<List>)?
    var tag: Tag?
    var shown: List?
    /// What leads to the list that is shown and hasn't been told.
    var untold: Turn?
    /// Whether nothing of the source has been shown.
    var isFirst = false
    /// Whether the source's first list is told as a whole, whatever was told before.
    var isAnew = false
    /// Whether nothing is shown for the time being.
    var isPaused = false

    /// Shows a list of the source, unless steps of another one are followed, or none.
    ///
    /// The changes, if they are known, lead on from `before`. What is returned is to be freed when no lock is held.
    mutating func show(
      _ after: List, of source: any ListSource<List>, from before: List? = nil,
      _ changes: (@Sendable () -> ListChanges)? = nil
    ) -> (List?, Turn?) {
      guard self.source === source, !isPaused, let tag else { return (nil, nil) }
      let old = (shown, untold)
      // A pull may have been ahead of the step.
      if !isFirst, shown?.isIdentical(to: after) == true { return (nil, nil) }
      var isNext = false
      if !isFirst, untold == nil, let before { isNext = shown?.isIdentical(to: before) ?? false }
      // What hasn't been told is told together with this.
      let last = untold == nil ? shown : untold?.before
      untold = Turn(
        before: isAnew ? nil : last, after: after, tag: tag,
        isFirst: isFirst || untold?.isFirst ?? false, changes: isNext ? changes : nil)
      shown = after
      isFirst = false
      isAnew = false
      return old
    }
  }

  /// A step that is shown and hasn't been told.
  private struct Turn: Sendable {
    let before: List?
    let after: List
    let tag: Tag
    let isFirst: Bool
    /// Gives the changes; without it the lists are compared.
    let changes: (@Sendable () -> ListChanges)?
  }

  private let queue: DeliveryQueue
  private let state = Locked(State())
  private let tellsEveryFirst: Bool
  private let isHeard: @Sendable () -> Bool
  private let tellStep: @Sendable (Step) -> Void

  /// Creates a teller that follows nothing yet.
  ///
  /// - Parameters:
  ///   - queue: The place where sources say what changes.
  ///   - tellsEveryFirst: Whether the first step of a source is told also if it changes nothing.
  ///   - isHeard: Says whether anybody is told; otherwise no changes are worked out.
  ///   - tell: Is called in the place with each step.
  init(
    queue: DeliveryQueue, tellsEveryFirst: Bool = false,
    isHeard: @escaping @Sendable () -> Bool, tell: @escaping @Sendable (Step) -> Void
  ) {
    self.queue = queue
    self.tellsEveryFirst = tellsEveryFirst
    self.isHeard = isHeard
    tellStep = tell
  }

  /// The list that is shown: the one that was told last, or that the place is about to tell.
  var shown: List? { state.withLock { $0.shown } }

  /// The tag of what is followed.
  var tag: Tag? { state.withLock { $0.tag } }

  /// How a new source begins.
  enum Beginning: Sendable {
    /// The first list is taken to be known; a later one is told as the difference.
    case known
    /// The first list is told; a later one is told as the difference.
    case told
    /// The list is told as a first one, whatever was told before.
    case anew
  }

  /// Follows a source in place of the one before, and tells that.
  func follow(_ source: any ListSource<List>, tag: Tag, _ beginning: Beginning) {
    tell(take(source, tag: tag, beginning))
  }

  /// What the one before leaves, to be freed when no lock is held, and whether there is something to tell.
  struct Taken: Sendable {
    fileprivate let old: any Sendable
    fileprivate let isTold: Bool
  }

  /// Follows a source in place of the one before, and calls nobody.
  func take(_ source: any ListSource<List>, tag: Tag, _ beginning: Beginning) -> Taken {
    // What is let go of is handed out, so that nothing is freed under the lock.
    let old = state.withLock { state -> State in
      let old = state
      state.source = source
      state.tag = tag
      state.isFirst = true
      state.isAnew = state.isAnew || beginning == .anew
      // Read here, so that each step of the source is either in it or comes after.
      if beginning == .known && old.source == nil {
        state.shown = source.shown
        state.isFirst = false
      }
      return old
    }
    return Taken(old: old, isTold: beginning != .known || old.source != nil)
  }

  /// Tells of a source that has been taken.
  func tell(_ taken: Taken) {
    if taken.isTold { catchUp() }
  }

  /// Shows a step of a source, before any callback in its place.
  func show(_ event: Event, from source: any ListSource<List>) {
    let old = state.withLock { state in
      state.show(event.after, of: source, from: event.before, event.changes)
    }
    withExtendedLifetime(old) {}
  }

  /// Tells what is shown and hasn't been told.
  func tell() {
    guard let turn = state.withLock({ $0.untold.take() }), isHeard() else { return }
    var changes = ListChanges()
    if let before = turn.before, !before.isIdentical(to: turn.after) {
      changes = turn.changes?() ?? before.changes(to: turn.after)
    }
    guard turn.before == nil || !changes.isEmpty || turn.isFirst && tellsEveryFirst else { return }
    tellStep(
      Step(
        before: turn.before, changes: changes, after: turn.after, tag: turn.tag,
        isFirst: turn.isFirst))
  }

  /// Shows and tells what the source shows, in its place.
  func catchUp() {
    queue.enqueue { [weak self] in
      guard let self, let source = state.withLock({ $0.source }) else { return }
      let after = source.shown
      let old = state.withLock { $0.show(after, of: source) }
      withExtendedLifetime(old) {}
      tell()
    }
    queue.run()
  }

  /// The list as its source shows it now, which counts as told.
  func pull() -> (list: List, tag: Tag)? {
    let (result, _) = state.withLock { state -> ((List, Tag)?, State?) in
      guard let source = state.source, let tag = state.tag else { return (nil, nil) }
      let old = state
      let list = source.shown
      state.shown = list
      state.untold = nil
      state.isFirst = false
      state.isAnew = false
      return ((list, tag), old)
    }
    return result
  }

  /// Shows nothing new until `resume()`.
  func pause() { state.withLock { $0.isPaused = true } }

  /// Shows steps again; what has come meanwhile with the source's next one, or when it is caught up with.
  func resume() { state.withLock { $0.isPaused = false } }
}
