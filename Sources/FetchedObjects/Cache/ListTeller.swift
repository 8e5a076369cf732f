internal import ListDiffing
internal import Locking
internal import Relays

/// What shows a list in its place and says there what changes.
protocol ListSource<List>: AnyObject, Sendable {
  associatedtype List: TrackedList

  /// The list as it is shown now.
  var shown: List { get }
}

/// Tells a list's changes so that each step leads on from where the last one led.
///
/// It remembers which list it told last, by a step or by a pull. A step of its source goes on as it is where that is
/// what the step leads on from; otherwise the two lists are compared.
final class ListTeller<List: TrackedList, Tag: Sendable>: Sendable {
  /// What is told at a time.
  struct Step {
    /// Nil for the first list.
    let before: List?
    /// Empty for the first list.
    let changes: ListChanges
    let after: List
    let tag: Tag
  }

  /// A step as a source gives it.
  struct Event {
    let before: List
    let after: List
    let changes: () -> ListChanges
  }

  private struct State: Sendable {
    var source: (any ListSource<List>)?
    var tag: Tag?
    var told: List?
    /// Whether a step goes without saying until it is over.
    var isPaused = false

    /// Whether steps of a source are told.
    func follows(_ source: any ListSource<List>) -> Bool { self.source === source && !isPaused }
  }

  private let queue: DeliveryQueue
  private let state = Locked(State())
  private let tell: @Sendable (Step) -> Void

  /// - Parameters:
  ///   - queue: The place where sources say what changes.
  ///   - tell: Is called there with each step.
  init(queue: DeliveryQueue, tell: @escaping @Sendable (Step) -> Void) {
    self.queue = queue
    self.tell = tell
  }

  /// The list that was told last.
  var told: List? { state.withLock { $0.told } }

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

  /// Follows a source in place of the one before.
  func follow(_ source: any ListSource<List>, tag: Tag, _ beginning: Beginning) {
    // What is let go of is handed out, so that nothing is freed under the lock.
    let old = state.withLock { state -> State in
      let old = state
      state.source = source
      state.tag = tag
      if beginning == .anew { state.told = nil }
      // Read here, so that each step of the source is either in it or comes after.
      if beginning == .known && state.told == nil { state.told = source.shown }
      return old
    }
    if beginning == .known && old.source == nil { return }
    catchUp()
  }

  /// Takes a step of a source, in its place.
  func take(_ event: Event, from source: any ListSource<List>) {
    let (turn, _) = state.withLock { state -> ((told: List?, tag: Tag)?, List?) in
      guard state.follows(source), let tag = state.tag else { return (nil, nil) }
      let told = state.told
      guard let told else {
        state.told = event.after
        return ((nil, tag), nil)
      }
      // A step that a pull was ahead of, or one after a gap, is worked out from where we are.
      guard told.isIdentical(to: event.before) else { return (nil, told) }
      state.told = event.after
      return ((told, tag), told)
    }
    guard let (before, tag) = turn else { return compare(source) }
    guard before != nil else {
      return tell(Step(before: nil, changes: ListChanges(), after: event.after, tag: tag))
    }
    let changes = event.changes()
    if !changes.isEmpty {
      tell(Step(before: before, changes: changes, after: event.after, tag: tag))
    }
  }

  /// Tells the way from the last list to the one that a source shows now.
  private func compare(_ source: any ListSource<List>) {
    let after = source.shown
    let turn = state.withLock { state -> (before: List?, tag: Tag)? in
      guard state.follows(source), let tag = state.tag else { return nil }
      let before = state.told
      if let before, before.isIdentical(to: after) { return nil }
      state.told = after
      return (before, tag)
    }
    guard let (before, tag) = turn else { return }
    let changes = before?.changes(to: after) ?? ListChanges()
    if before == nil || !changes.isEmpty {
      tell(Step(before: before, changes: changes, after: after, tag: tag))
    }
  }

  /// Tells what is shown and hasn't been told, in its place.
  private func catchUp() {
    queue.enqueue { [weak self] in
      guard let self, let source = state.withLock({ $0.source }) else { return }
      compare(source)
    }
    queue.run()
  }

  /// The list as it is shown now, which counts as told.
  func pull() -> (list: List, tag: Tag)? {
    guard let source = state.withLock({ $0.source }) else { return nil }
    let shown = source.shown
    let (result, _) = state.withLock { state -> ((List, Tag)?, List?) in
      let old = state.told
      guard let tag = state.tag else { return (nil, nil) }
      state.told = shown
      return ((shown, tag), old)
    }
    return result
  }

  /// Tells nothing until `resume()`.
  func pause() { state.withLock { $0.isPaused = true } }

  /// Tells what has come since `pause()` as one step, in its place.
  func resume() {
    state.withLock { $0.isPaused = false }
    catchUp()
  }
}
