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
    /// Whether it is the first of its source.
    let isFirst: Bool
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
    /// Whether nothing of the source has been told.
    var isFirst = false
    /// Whether the source's first list is told as a whole, whatever was told before.
    var isAnew = false
    /// Whether nothing is told for the time being.
    var isPaused = false

    /// Whether steps of a source are told.
    func follows(_ source: any ListSource<List>) -> Bool { self.source === source && !isPaused }

    /// Counts a list as told, and gives what is to be told of it.
    mutating func turn(to after: List, _ tag: Tag) -> Turn {
      let turn = Turn(before: isAnew ? nil : told, after: after, tag: tag, isFirst: isFirst)
      told = after
      isFirst = false
      isAnew = false
      return turn
    }
  }

  /// A step without its changes.
  private struct Turn {
    let before: List?
    let after: List
    let tag: Tag
    let isFirst: Bool
  }

  private let queue: DeliveryQueue
  private let state = Locked(State())
  private let tellsEveryFirst: Bool
  private let tellStep: @Sendable (Step) -> Void

  /// Creates a teller that follows nothing yet.
  ///
  /// - Parameters:
  ///   - queue: The place where sources say what changes.
  ///   - tellsEveryFirst: Whether the first step of a source is told also if it changes nothing.
  ///   - tell: Is called there with each step.
  init(
    queue: DeliveryQueue, tellsEveryFirst: Bool = false,
    tell: @escaping @Sendable (Step) -> Void
  ) {
    self.queue = queue
    self.tellsEveryFirst = tellsEveryFirst
    tellStep = tell
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
      state.isFirst = true
      state.isAnew = state.isAnew || beginning == .anew
      // Read here, so that each step of the source is either in it or comes after.
      if beginning == .known && old.source == nil {
        state.told = source.shown
        state.isFirst = false
      }
      return old
    }
    if beginning == .known && old.source == nil { return }
    catchUp()
  }

  /// Takes a step of a source, in its place.
  func take(_ event: Event, from source: any ListSource<List>) {
    let (turn, _) = state.withLock { state -> (Turn?, List?) in
      let told = state.told
      // A step that a pull was ahead of, or one after a gap, is worked out from where we are.
      guard state.follows(source), let tag = state.tag, !state.isFirst, let told,
        told.isIdentical(to: event.before)
      else { return (nil, told) }
      return (state.turn(to: event.after, tag), told)
    }
    guard let turn else { return compare(source) }
    tell(turn, event.changes())
  }

  /// Tells the way from the last list to the one that a source shows now.
  private func compare(_ source: any ListSource<List>) {
    let after = source.shown
    let turn = state.withLock { state -> Turn? in
      guard state.follows(source), let tag = state.tag else { return nil }
      return state.turn(to: after, tag)
    }
    guard let turn else { return }
    if let before = turn.before, !before.isIdentical(to: after) {
      tell(turn, before.changes(to: after))
    } else {
      tell(turn, ListChanges())
    }
  }

  private func tell(_ turn: Turn, _ changes: ListChanges) {
    guard turn.before == nil || !changes.isEmpty || turn.isFirst && tellsEveryFirst else { return }
    tellStep(
      Step(
        before: turn.before, changes: changes, after: turn.after, tag: turn.tag,
        isFirst: turn.isFirst))
  }

  /// Tells what is shown and hasn't been told, in its place.
  func catchUp() {
    queue.enqueue { [weak self] in
      guard let self, let source = state.withLock({ $0.source }) else { return }
      compare(source)
    }
    queue.run()
  }

  /// The list as it is shown now, which counts as told.
  func pull() -> (list: List, tag: Tag)? {
    let (result, _) = state.withLock { state -> ((List, Tag)?, List?) in
      guard let source = state.source, let tag = state.tag else { return (nil, nil) }
      let old = state.told
      let turn = state.turn(to: source.shown, tag)
      return ((turn.after, tag), old)
    }
    return result
  }

  /// Tells nothing until `resume()`.
  func pause() { state.withLock { $0.isPaused = true } }

  /// Tells steps again; what has come meanwhile with the source's next one, or when it is caught up with.
  func resume() { state.withLock { $0.isPaused = false } }
}
