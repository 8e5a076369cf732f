internal import ListDiffing

/// What a list publisher shows, and what of that hasn't been published.
struct PublisherState<List: TrackedList, Tag: Sendable>: Sendable {
  typealias Beginning = ListPublisher<List, Tag>.Beginning

  /// A step that is shown and hasn't been published.
  struct Pending: Sendable {
    let before: List?
    let after: List
    let tag: Tag
    let isFirst: Bool
    /// Gives the changes; without it the lists are compared.
    let changes: (@Sendable () -> ListChanges)?
  }

  private var source: (any ListSource<List>)?
  private var sourceTag: Tag?
  /// The source that is followed as soon as the place comes to it.
  private var next: (source: any ListSource<List>, tag: Tag)?
  private(set) var shown: List?
  /// What leads to the list that is shown and hasn't been published.
  var pending: Pending?
  /// Whether nothing of the source has been shown.
  private var isFirst = false
  /// Whether the next source's list is published as a whole, whatever was published before.
  private var startsAgain = false
  /// Whether nothing is shown for the time being.
  var isPaused = false

  /// The source that was taken last.
  var newest: (any ListSource<List>)? { next?.source ?? source }

  /// The tag of the source that was taken last.
  var tag: Tag? { next?.tag ?? sourceTag }

  /// Follows a source in place of the one before, as soon as the place comes to it.
  ///
  /// - Returns: Whether there is something to publish.
  mutating func take(_ source: any ListSource<List>, _ tag: Tag, _ beginning: Beginning) -> Bool {
    startsAgain = startsAgain || beginning == .again
    if beginning == .known && newest == nil {
      self.source = source
      sourceTag = tag
      // Read here, so that each step of the source is either in it or comes after.
      shown = source.shown
      return false
    }
    next = (source, tag)
    return true
  }

  /// Goes over to the source that was taken last, and shows its list.
  mutating func showNewest() {
    if isPaused { return }
    if let next {
      (source, sourceTag) = (next.source, next.tag)
      self.next = nil
      isFirst = true
    }
    if let source { show(source.shown, of: source) }
  }

  /// Shows a list of a source, unless another one is followed.
  ///
  /// The changes, if they are known, lead on from `before`.
  mutating func show(
    _ after: List, of source: any ListSource<List>, from before: List? = nil,
    _ changes: (@Sendable () -> ListChanges)? = nil
  ) {
    guard self.source === source, !isPaused, let sourceTag else { return }
    // A pull may have been ahead of the step.
    if !isFirst, shown?.isIdentical(to: after) == true { return }
    var isNext = false
    if !isFirst, pending == nil, let before { isNext = shown?.isIdentical(to: before) ?? false }
    // What hasn't been published is published together with this.
    let last = if let pending { pending.before } else { shown }
    pending = Pending(
      before: startsAgain ? nil : last, after: after, tag: sourceTag,
      isFirst: isFirst || pending?.isFirst ?? false, changes: isNext ? changes : nil)
    shown = after
    isFirst = false
    startsAgain = false
  }

  /// The list as the source that was taken last shows it now, which counts as published.
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
