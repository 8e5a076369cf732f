internal import ListDiffing
internal import Locking
internal import Relays

/// A publisher of the list of a source, in one delivery context.
///
/// The source can be replaced by another one.
///
/// It remembers the list that its subscribers have, so each step continues from the list that the
/// last step led to. A source applies a step before any callback in the delivery context, and
/// publishes it in its turn (F13). If a step continues from the subscribers' list, its changes are
/// used. Otherwise the two lists are compared.
final class ListPublisher<List: TrackedList, Tag: Sendable>: Sendable {
  /// A step that is published at a time.
  struct Step {
    /// The list before, or nil for the first list.
    let before: List?
    /// They are empty for the first list.
    let changes: ListChanges
    let after: List
    let tag: Tag
    /// True if this is the first step of its source.
    let isFirst: Bool
  }

  /// The way in which a new source begins.
  enum Beginning: Sendable {
    /// The first list counts as published.
    ///
    /// The list of a later source is published as a difference.
    case known
    /// The first list is published.
    ///
    /// The list of a later source is published as a difference.
    case published
    /// The list is published as a first list, even if others were published before.
    case again
  }

  private let queue: DeliveryQueue
  private let state = Locked(PublisherState<List, Tag>())
  private let hasSubscribers: @Sendable () -> Bool
  private let publishStep: @Sendable (Step) -> Void

  /// Creates a publisher that doesn't follow a source yet.
  ///
  /// The first step of a source is published even if it changes nothing. Without subscribers, no
  /// changes are computed. `publish` is called with each step, in the queue's delivery context.
  init(
    queue: DeliveryQueue, hasSubscribers: @escaping @Sendable () -> Bool,
    publish: @escaping @Sendable (Step) -> Void
  ) {
    self.queue = queue
    self.hasSubscribers = hasSubscribers
    publishStep = publish
  }

  /// The visible list: the one that was published last or will be published next.
  var shown: List? { state.withLock { $0.shown } }

  /// The tag of the source that was taken last.
  var tag: Tag? { state.withLock { $0.tag } }

  /// Changes the state, and releases what the change replaces when no lock is held.
  private func change<Result>(_ body: (inout PublisherState<List, Tag>) -> Result) -> Result {
    ReleasePool.open {
      state.withLock { state in
        ReleasePool.add(state)
        return body(&state)
      }
    }
  }

  /// Replaces the source, as soon as the delivery context gets to it, and publishes its list.
  func follow(_ source: any ListSource<List>, tag: Tag, _ beginning: Beginning) {
    if take(source, tag: tag, beginning) { catchUp() }
  }

  /// Replaces the source, as soon as the delivery context gets to it.
  ///
  /// It calls no subscribers. It returns true if there is a list to publish, by `catchUp()`.
  func take(_ source: any ListSource<List>, tag: Tag, _ beginning: Beginning) -> Bool {
    change { $0.take(source, tag, beginning) }
  }

  /// Applies a step of a source, before any callback in the delivery context.
  func show(
    _ after: List, of source: any ListSource<List>, from before: List,
    _ changes: @escaping @Sendable () -> ListChanges
  ) {
    change { $0.show(after, of: source, from: before, changes) }
  }

  /// Publishes the step that is visible and pending.
  func publish() {
    guard let turn = state.withLock({ $0.pending.take() }), hasSubscribers() else { return }
    var changes = ListChanges()
    if let before = turn.before, !before.isIdentical(to: turn.after) {
      changes = turn.changes?() ?? before.changes(to: turn.after)
    }
    guard turn.isFirst || !changes.isEmpty else { return }
    publishStep(
      Step(
        before: turn.before, changes: changes, after: turn.after, tag: turn.tag,
        isFirst: turn.isFirst))
  }

  /// Applies and publishes the list of the newest source, in the delivery context.
  func catchUp() {
    queue.enqueue { [weak self] in
      guard let self else { return }
      change { $0.showNewest() }
      publish()
    }
    queue.run()
  }

  /// Returns the list of the source at present.
  ///
  /// It counts as published.
  func pull() -> (list: List, tag: Tag)? { change { $0.pull() } }

  /// Stops applying steps until `resume()`, and pauses the source.
  func pause() { change { $0.pause() } }

  /// Applies steps again, and resumes the source, which may call subscribers.
  ///
  /// If the source shows nothing then, earlier steps are applied with the next one, or by
  /// `catchUp()`.
  func resume() {
    change { $0.resume() }?.resume()
    change { $0.pauseAgain() }
  }
}
