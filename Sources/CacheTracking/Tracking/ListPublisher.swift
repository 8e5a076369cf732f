internal import ListDiffing
internal import Locking
internal import Relays

/// Shows the list of one source after another in one place, and publishes what leads from each list to the next.
///
/// It remembers the list that its subscribers have, so each step leads on from where the last one led. A source shows a
/// step before any callback in the place, and has it published in its turn (F13). Where a step leads on from the list
/// that subscribers have, its changes are taken over; otherwise the two lists are compared.
final class ListPublisher<List: TrackedList, Tag: Sendable>: Sendable {
  /// What is published at a time.
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

  /// How a new source begins.
  enum Beginning: Sendable {
    /// The first list counts as published; that of a later source is published as the difference.
    case known
    /// The first list is published; that of a later source is published as the difference.
    case published
    /// The list is published as a first one, whatever was published before.
    case again
  }

  private let queue: DeliveryQueue
  private let state = Locked(PublisherState<List, Tag>())
  private let publishesEveryFirst: Bool
  private let hasSubscribers: @Sendable () -> Bool
  private let publishStep: @Sendable (Step) -> Void

  /// Creates a publisher that follows nothing yet.
  ///
  /// - Parameters:
  ///   - queue: The place in which sources show their steps.
  ///   - publishesEveryFirst: Whether the first step of a source is published also if it changes nothing.
  ///   - hasSubscribers: Whether anybody is called; otherwise no changes are worked out.
  ///   - publish: Is called in the place with each step.
  init(
    queue: DeliveryQueue, publishesEveryFirst: Bool = false,
    hasSubscribers: @escaping @Sendable () -> Bool, publish: @escaping @Sendable (Step) -> Void
  ) {
    self.queue = queue
    self.publishesEveryFirst = publishesEveryFirst
    self.hasSubscribers = hasSubscribers
    publishStep = publish
  }

  /// The list that is shown: the one that was published last, or that is about to be.
  var shown: List? { state.withLock { $0.shown } }

  /// The tag of the source that was taken last.
  var tag: Tag? { state.withLock { $0.tag } }

  /// Follows a source in place of the one before, as soon as the place comes to it, and publishes that.
  func follow(_ source: any ListSource<List>, tag: Tag, _ beginning: Beginning) {
    begin(take(source, tag: tag, beginning))
  }

  /// What the source before leaves, to be freed when no lock is held, and whether there is something to publish.
  struct Taken: Sendable {
    fileprivate let old: any Sendable
    fileprivate let isPublished: Bool
  }

  /// Follows a source in place of the one before, as soon as the place comes to it, and calls nobody.
  func take(_ source: any ListSource<List>, tag: Tag, _ beginning: Beginning) -> Taken {
    let (old, isPublished) = state.withLock { state in
      let old = state
      return (old, state.take(source, tag, beginning))
    }
    return Taken(old: old, isPublished: isPublished)
  }

  /// Publishes the list of a source that has been taken.
  func begin(_ taken: Taken) {
    if taken.isPublished { catchUp() }
  }

  /// Shows a step of a source, before any callback in its place.
  func show(_ event: Event, from source: any ListSource<List>) {
    let old = state.withLock { state in
      let old = state
      state.show(event.after, of: source, from: event.before, event.changes)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Publishes what is shown and hasn't been published.
  func publish() {
    guard let turn = state.withLock({ $0.pending.take() }), hasSubscribers() else { return }
    var changes = ListChanges()
    if let before = turn.before, !before.isIdentical(to: turn.after) {
      changes = turn.changes?() ?? before.changes(to: turn.after)
    }
    guard turn.before == nil || !changes.isEmpty || turn.isFirst && publishesEveryFirst else {
      return
    }
    publishStep(
      Step(
        before: turn.before, changes: changes, after: turn.after, tag: turn.tag,
        isFirst: turn.isFirst))
  }

  /// Shows and publishes what the newest source shows, in its place.
  func catchUp() {
    queue.enqueue { [weak self] in
      guard let self else { return }
      let old = state.withLock { state in
        let old = state
        state.showNewest()
        return old
      }
      withExtendedLifetime(old) {}
      publish()
    }
    queue.run()
  }

  /// The list as its source shows it now, which counts as published.
  func pull() -> (list: List, tag: Tag)? {
    let (result, old) = state.withLock { state in
      let old = state
      return (state.pull(), old)
    }
    withExtendedLifetime(old) {}
    return result
  }

  /// Shows nothing new until `resume()`.
  func pause() { state.withLock { $0.isPaused = true } }

  /// Shows steps again; what has come meanwhile with the source's next one, or when it is caught up with.
  func resume() { state.withLock { $0.isPaused = false } }
}
