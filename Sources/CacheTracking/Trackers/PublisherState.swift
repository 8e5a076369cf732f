internal import ListDiffing

/// The visible list of a publisher, and the part of it that is pending.
struct PublisherState<List: TrackedList, Tag: Sendable>: Sendable {
  typealias Beginning = ListPublisher<List, Tag>.Beginning

  /// A step that is visible and hasn't been published.
  struct Pending: Sendable {
    let before: List?
    let after: List
    let tag: Tag
    let isFirst: Bool
    /// A closure that returns the changes.
    ///
    /// If it is nil, the lists are compared.
    let changes: (@Sendable () -> ListChanges)?
  }

  private var source: (any ListSource<List>)?
  private var sourceTag: Tag?
  /// The source to follow as soon as the delivery context gets to it.
  private var next: (source: any ListSource<List>, tag: Tag, startsAgain: Bool)?
  private(set) var shown: List?
  var pending: Pending?
  /// True if no list of the source has been visible.
  private var isFirst = false
  /// True if the next list of the source is published as a whole, even if others were published
  /// before.
  private var startsAgain = false
  /// True if no steps are applied at present, except those of a source that pauses itself.
  private var isPaused = false

  /// The source that was taken last.
  var newest: (any ListSource<List>)? { next?.source ?? source }

  /// The tag of the source that was taken last.
  var tag: Tag? { next?.tag ?? sourceTag }

  /// Replaces the source, as soon as the delivery context gets to it.
  mutating func take(_ source: any ListSource<List>, _ tag: Tag, _ beginning: Beginning) -> Bool {
    if isPaused { source.pause() }
    if beginning == .known && newest == nil {
      self.source = source
      sourceTag = tag
      // It is read here, so that each step of the source is either included in it or follows it.
      shown = source.shown
      return false
    }
    next = (source, tag, beginning == .again || next?.startsAgain ?? false)
    return true
  }

  /// Switches to the source that was taken last, and applies its list.
  mutating func showNewest() {
    if isPaused { return }
    if let next {
      (source, sourceTag) = (next.source, next.tag)
      startsAgain = startsAgain || next.startsAgain
      self.next = nil
      isFirst = true
    }
    if let source { show(source.shown, of: source) }
  }

  /// Applies a list of a source, unless another source is followed, or this is paused and the
  /// source leaves the pause to it.
  ///
  /// If the changes are known, they lead from `before` to `after`.
  mutating func show(
    _ after: List, of source: any ListSource<List>, from before: List? = nil,
    _ changes: (@Sendable () -> ListChanges)? = nil
  ) {
    guard self.source === source, !isPaused || source.pausesItself, let sourceTag else { return }
    // A pull may have included the step already.
    if !isFirst, shown?.isIdentical(to: after) == true { return }
    var isNext = false
    if !isFirst, pending == nil, let before { isNext = shown?.isIdentical(to: before) ?? false }
    // A pending step is published together with this one.
    let last = if let pending { pending.before } else { shown }
    pending = Pending(
      before: startsAgain ? nil : last, after: after, tag: sourceTag,
      isFirst: isFirst || pending?.isFirst ?? false, changes: isNext ? changes : nil)
    shown = after
    isFirst = false
    startsAgain = false
  }

  /// Pauses the sources.
  ///
  /// From now on, only lists of sources that pause themselves are applied.
  mutating func pause() {
    // The first one is visible until the second one begins.
    source?.pause()
    next?.source.pause()
    if isPaused { return }
    // Another thread may have changed the source's list, and publishes it after this method.
    if let source { show(source.shown, of: source) }
    isPaused = true
  }

  /// Pauses the sources if this is paused: another thread may just have resumed one.
  mutating func pauseAgain() { if isPaused { pause() } }

  /// Applies steps again, and returns the source to resume.
  ///
  /// A source that another one replaces isn't resumed: its last changes are part of the difference
  /// between the two.
  mutating func resume() -> (any ListSource<List>)? {
    isPaused = false
    return newest
  }

  /// Returns the list of the source that was taken last, at present.
  ///
  /// It counts as published.
  mutating func pull() -> (list: List, tag: Tag)? {
    guard let newest, let tag else { return nil }
    let list = newest.shown
    (source, sourceTag, next) = (newest, tag, nil)
    shown = list
    pending = nil
    isFirst = false
    startsAgain = false
    return (list, tag)
  }
}
