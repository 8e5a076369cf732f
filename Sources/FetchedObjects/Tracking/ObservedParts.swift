internal import Locking
internal import Observation

/// What `withObservationTracking` knows of what a list shows: as a whole, the order of its sections, and each
/// section by itself.
///
/// Each of these is a key path, which whoever tracks it holds until he has been told or has gone. So it can be
/// seen whether anybody tracks anything: the key path is held by nobody else. And nothing is kept of a section
/// that nobody tracks.
final class ObservedParts: Observable, Sendable {
  /// What can be read by itself.
  enum Part: Hashable, Sendable {
    case content
    case order
    case section(SectionID)
  }

  /// The key path of a part, and whether anybody else has it.
  private struct Entry: @unchecked Sendable {
    // @unchecked: a key path is immutable, and what it captures is Sendable.
    let part: Part
    var keyPath: KeyPath<ObservedParts, Void>

    init(_ part: Part) {
      self.part = part
      keyPath = \ObservedParts.[part]
    }

    /// - Complexity: O(1)
    mutating func isTracked() -> Bool { !isKnownUniquelyReferenced(&keyPath) }
  }

  private struct State: Sendable {
    var content: Entry?
    var order: Entry?
    var sections: [Entry] = []
    /// Where the sections' entries are.
    var indices: [SectionID: Int] = [:]
    /// How many sections there are when those that nobody tracks are next left out.
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

    /// Whether anybody tracks anything; sections that nobody tracks are left out on the way.
    mutating func isTracked() -> Bool {
      if content?.isTracked() == true || order?.isTracked() == true { return true }
      while let last = sections.indices.last {
        if sections[last].isTracked() { return true }
        if case .section(let id) = sections.removeLast().part { indices[id] = nil }
      }
      return false
    }

    /// The key path of a part that may be tracked.
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

  /// Whether anybody tracks anything.
  ///
  /// A read that is just being entered counts, so nobody is missed; perhaps one is counted who has gone.
  ///
  /// - Complexity: O(1), amortised over the reads of sections.
  var isTracked: Bool { state.withLock { $0.isTracked() } }

  /// Whether any section may be tracked.
  var hasSections: Bool { state.withLock { !$0.sections.isEmpty } }

  /// How many sections something is kept of.
  var sectionCount: Int { state.withLock { $0.sections.count } }

  /// Notes that a part is about to be read.
  func access(_ part: Part) {
    registrar.access(self, keyPath: state.withLock { $0.keyPath(part) })
  }

  /// Says that a part has changed, once everybody who reads sees it.
  func hasChanged(_ part: Part) {
    guard let keyPath = state.withLock({ $0.known(part) }) else { return }
    registrar.willSet(self, keyPath: keyPath)
    registrar.didSet(self, keyPath: keyPath)
  }
}
