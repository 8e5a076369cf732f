internal import Locking
internal import Observation

/// The parts of a list that `withObservationTracking` tracks: the whole, the order of its sections,
/// and each section separately.
///
/// Each part is a key path. A tracker of a part holds its key path until it has been notified or
/// has ended. So a part is untracked if nothing else holds its key path. Nothing is kept for an
/// untracked section.
final class ObservedParts: Observable, Sendable {
  /// A part that can be read separately.
  enum Part: Hashable, Sendable {
    case content
    case order
    case section(SectionID)
  }

  /// The key path of a part.
  private struct Entry: @unchecked Sendable {
    // @unchecked: A key path is immutable, and the value that it captures is Sendable.
    let part: Part
    var keyPath: KeyPath<ObservedParts, Void>

    init(_ part: Part) {
      self.part = part
      keyPath = \ObservedParts.[part]
    }

    /// Returns true if something else holds the key path.
    ///
    /// - Complexity: O(1)
    mutating func isTracked() -> Bool { !isKnownUniquelyReferenced(&keyPath) }
  }

  private struct State: Sendable {
    var content: Entry?
    var order: Entry?
    var sections: [Entry] = []
    /// The positions of the sections' entries.
    var indices: [SectionID: Int] = [:]
    /// The number of sections at which untracked sections are removed the next time.
    var sweep = 64

    mutating func keyPath(_ part: Part) -> KeyPath<ObservedParts, Void> {
      switch part {
      case .content: return Self.keyPath(part, &content)
      case .order: return Self.keyPath(part, &order)
      case .section(let id):
        if let index = indices[id] { return sections[index].keyPath }
        if sections.count >= sweep { leaveOutUntracked() }
        let entry = Entry(part)
        indices[id] = sections.count
        sections.append(entry)
        return entry.keyPath
      }
    }

    private static func keyPath(
      _ part: Part, _ entry: inout Entry?
    ) -> KeyPath<ObservedParts, Void> {
      if let entry { return entry.keyPath }
      let new = Entry(part)
      entry = new
      return new.keyPath
    }

    private mutating func leaveOutUntracked() {
      var kept: [Entry] = []
      for index in sections.indices where sections[index].isTracked() {
        kept.append(sections[index])
      }
      sections = kept
      indices = [:]
      for (index, entry) in kept.enumerated() {
        if case .section(let id) = entry.part { indices[id] = index }
      }
      sweep = max(64, 2 * kept.count)
    }

    /// Returns true if a part is tracked.
    ///
    /// It removes untracked sections that it finds.
    mutating func isTracked() -> Bool {
      if content?.isTracked() == true || order?.isTracked() == true { return true }
      while let last = sections.indices.last {
        if sections[last].isTracked() { return true }
        if case .section(let id) = sections.removeLast().part { indices[id] = nil }
      }
      return false
    }

    /// Returns the key path of a part that may be tracked, or nil if the part isn't tracked.
    func known(_ part: Part) -> KeyPath<ObservedParts, Void>? {
      switch part {
      case .content: content?.keyPath
      case .order: order?.keyPath
      case .section(let id): indices[id].map { sections[$0].keyPath }
      }
    }
  }

  private let registrar = ObservationRegistrar()
  private let state = Locked(State())

  private subscript(part: Part) -> Void { () }

  /// True if a part is tracked.
  ///
  /// A read that is being registered counts, so no tracker is missed. A tracker that has ended may
  /// be counted, too.
  ///
  /// - Complexity: O(1), amortised over the reads of sections.
  var isTracked: Bool { state.withLock { $0.isTracked() } }

  /// True if a section may be tracked.
  var hasSections: Bool { state.withLock { !$0.sections.isEmpty } }

  /// The number of sections that have an entry.
  var sectionCount: Int { state.withLock { $0.sections.count } }

  /// Notes that a part is about to be read.
  func access(_ part: Part) {
    registrar.access(self, keyPath: state.withLock { $0.keyPath(part) })
  }

  /// It is called when every reader sees the change.
  func hasChanged(_ part: Part) {
    guard let keyPath = state.withLock({ $0.known(part) }) else { return }
    registrar.willSet(self, keyPath: keyPath)
    registrar.didSet(self, keyPath: keyPath)
  }
}
