internal import EntityStore
internal import ListDiffing

/// The possible differences between two snapshots.
struct IndexStep: Sendable {
  let before: IndexSnapshot
  let after: IndexSnapshot
  /// The rows that may differ, one for each object; nil if all rows may differ.
  let candidates: [IndexCandidate]?
  /// The objects that may have new numbers, as far as known, if all rows may differ.
  let renumbered: Renumbered
  /// True if rows that aren't candidates keep their numbers.
  let keepsNumbers: Bool
  /// True if rows that stay have the same content, although all may have another position.
  let keepsContents: Bool
  /// The objects that have a new number since a step to another query was made, or nil if there is
  /// no such step.
  let watch: NumberWatch?
  /// The new paths of the rows that stay, by their old paths.
  ///
  /// It is set if all rows may differ and their numbers don't identify them.
  private let places: [ListPath: ListPath]?
  /// The ids of rows that are known to differ, if all rows may, by their old paths.
  private let knownIDs: [ListPath: StoredValue]

  init(
    from before: IndexSnapshot, to after: IndexSnapshot,
    candidates: [IndexCandidate]?, renumbered: Renumbered = Renumbered(),
    keepsNumbers: Bool = true, keepsContents: Bool = false, watch: NumberWatch? = nil,
    places: [ListPath: ListPath]? = nil, knownIDs: [ListPath: StoredValue] = [:]
  ) {
    self.before = before
    self.after = after
    self.candidates = candidates
    self.renumbered = renumbered
    self.keepsNumbers = keepsNumbers
    self.keepsContents = keepsContents
    self.watch = watch
    self.places = places
    self.knownIDs = knownIDs
  }

  /// Creates a step after which all rows have the same positions and contents, but other numbers.
  init(renumbering before: IndexSnapshot, to after: IndexSnapshot) {
    self.init(from: before, to: after, candidates: [], keepsNumbers: false)
  }

  /// The ids of the rows before that are known to differ, by their paths.
  ///
  /// Their numbers may have become other objects'.
  var oldIDs: [ListPath: StoredValue] {
    guard let candidates else { return knownIDs }
    var ids: [ListPath: StoredValue] = [:]
    for candidate in candidates {
      if let path = candidate.old?.path { ids[path] = candidate.id }
    }
    return ids
  }

  /// The numbers of the rows that may differ, or nil if all rows may differ.
  ///
  /// - Complexity: O(*k* log *n*)
  var numbers: [Int64]? {
    if !keepsNumbers { return nil }
    return candidates.map { candidates in
      candidates.flatMap { candidate in
        [
          candidate.old.map { before.number(at: $0.path) },
          candidate.new.map { after.number(at: $0.path) },
        ].compactMap(\.self)
      }
    }
  }

  /// Returns one step that combines this one and the next.
  ///
  /// If only one of the steps touches a row, the row's path in the other one is computed. Untouched
  /// rows keep their order among each other.
  ///
  /// - Complexity: O(*k* log *n*) where *k* is the number of candidates of both.
  func followed(by next: IndexStep) -> IndexStep {
    guard let mine = candidates, let theirs = next.candidates else { return unknown(with: next) }
    let back = UntouchedPaths(
      from: after, touched: mine.lazy.compactMap(\.new?.path),
      to: before, touched: mine.lazy.compactMap(\.old?.path))
    let on = UntouchedPaths(
      from: next.before, touched: theirs.lazy.compactMap(\.old?.path),
      to: next.after, touched: theirs.lazy.compactMap(\.new?.path))
    var places: [StoredValue: Int] = [:]
    for (place, candidate) in mine.enumerated() { places[candidate.id] = place }
    var isInBoth = [Bool](repeating: false, count: mine.count)
    var merged: [IndexCandidate] = []
    func merge(_ id: StoredValue, _ old: IndexCandidate.Place?, _ new: IndexCandidate.Place?) {
      if old != nil || new != nil { merged.append(IndexCandidate(id: id, old: old, new: new)) }
    }
    for candidate in theirs {
      if let place = places[candidate.id] {
        isInBoth[place] = true
        merge(candidate.id, mine[place].old, candidate.new)
      } else if let old = candidate.old {
        guard let path = back[old.path] else { return unknown(with: next) }
        merge(candidate.id, .init(path: path, row: old.row), candidate.new)
      } else {
        merge(candidate.id, nil, candidate.new)
      }
    }
    for (place, candidate) in mine.enumerated() where !isInBoth[place] {
      guard let new = candidate.new else {
        merge(candidate.id, candidate.old, nil)
        continue
      }
      guard let path = on[new.path] else { return unknown(with: next) }
      merge(candidate.id, candidate.old, .init(path: path, row: new.row))
    }
    return IndexStep(
      from: before, to: next.after, candidates: merged,
      keepsNumbers: keepsNumbers && next.keepsNumbers)
  }

  /// The paths after the step of the rows that aren't candidates.
  ///
  /// - Precondition: the candidates are known.
  var untouchedPaths: UntouchedPaths {
    UntouchedPaths(
      from: before, touched: (candidates ?? []).compactMap(\.old?.path),
      to: after, touched: (candidates ?? []).compactMap(\.new?.path))
  }

  private func unknown(with next: IndexStep) -> IndexStep {
    var joined: [ListPath: ListPath]?
    if !keepsNumbers || !next.keepsNumbers {
      joined = oldAndNewPaths.compactMapValues { [paths = next.oldAndNewPaths] in paths[$0] }
    }
    return IndexStep(
      from: before, to: next.after, candidates: nil,
      renumbered: allRenumbered.union(next.allRenumbered)
        .union(Renumbered(freed: next.leftNumbers)),
      keepsNumbers: keepsNumbers && next.keepsNumbers,
      keepsContents: changesNoContent && next.changesNoContent && !hidesCommits(before: next),
      watch: watch ?? next.watch,
      places: joined, knownIDs: oldIDs)
  }

  /// The numbers that rows had before the step and perhaps don't have after it, as far as these
  /// rows are known.
  private var leftNumbers: Set<Int64> {
    guard let candidates else { return Set(knownIDs.keys.map { before.number(at: $0) }) }
    var numbers: Set<Int64> = []
    for candidate in candidates {
      guard let old = candidate.old.map({ before.number(at: $0.path) }) else { continue }
      if candidate.new.map({ after.number(at: $0.path) }) != old { numbers.insert(old) }
    }
    return numbers
  }

  /// True if a commit between this step to another query and the next such step may have changed
  /// rows that the queries at both ends show.
  private func hidesCommits(before next: IndexStep) -> Bool {
    guard let watch, next.watch != nil else { return false }
    return watch.hasSeenCommits
  }

  /// True if it is known that no row that stays has another content.
  private var changesNoContent: Bool { candidates.map(\.isEmpty) ?? keepsContents }

  /// The new paths of the rows that stay, by their old paths.
  ///
  /// If all rows may differ, rows with the same number count as the same.
  ///
  /// - Complexity: O(*n*), or O(*n* log *k*) with *k* candidates.
  var oldAndNewPaths: [ListPath: ListPath] {
    if let places { return places }
    var paths: [ListPath: ListPath] = [:]
    if let candidates {
      let untouched = untouchedPaths
      let touched = Dictionary(
        uniqueKeysWithValues: candidates.compactMap { one in
          one.old.map { ($0.path, one.new?.path) }
        })
      before.forEachNumber { path, _ in
        paths[path] = if let new = touched[path] { new } else { untouched[path] }
      }
      return paths
    }
    // Any number may be another row's by now, so all rows count as new.
    if renumbered.areTooMany { return paths }
    var oldPaths: [Int64: ListPath] = [:]
    before.forEachNumber { path, number in oldPaths[number] = path }
    after.forEachNumber { path, number in
      guard !renumbered.numbers.contains(number), let old = oldPaths[number] else { return }
      paths[old] = path
    }
    return paths
  }

  private var allRenumbered: Renumbered {
    guard let candidates else { return renumbered }
    // If numbers aren't kept, it is no longer known which objects have new ones.
    var all = Renumbered(mayBeAny: !keepsNumbers)
    for candidate in candidates {
      guard let new = candidate.new.map({ after.number(at: $0.path) }),
        new != candidate.old.map({ before.number(at: $0.path) })
      else { continue }
      all.ids.insert(candidate.id)
      all.numbers.insert(new)
    }
    return all
  }
}
