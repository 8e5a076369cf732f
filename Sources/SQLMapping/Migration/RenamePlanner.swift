@_spi(Storage) internal import EntityStore

/// The names of a file while they are changed.
struct RenamePlanner {
  typealias Named = Renames.Named
  typealias Rename = Renames.Rename

  private let wanted: [Named]
  private let owners: [FoldedName: Named]
  private var names: [FoldedName: String]
  /// The names that have been given in this plan.
  ///
  /// Each of them stays with the table or column to which it was given.
  private var given: Set<FoldedName> = []
  private(set) var renames: [Rename] = []

  init(_ wanted: [Named], present: some Sequence<String>) {
    self.wanted = wanted
    owners = Dictionary(wanted.map { (FoldedName($0.name), $0) }) { first, _ in first }
    names = Dictionary(present.map { (FoldedName($0), $0) }) { first, _ in first }
  }

  /// Returns the former names that exist and can be taken.
  private func sources(of named: Named) -> [FoldedName] {
    named.formerNames.map(FoldedName.init).filter { names[$0] != nil && !given.contains($0) }
  }

  private func isMissing(_ named: Named) -> Bool {
    let name = FoldedName(named.name)
    return names[name] == nil && !given.contains(name)
  }

  // MARK: Missing names

  /// Returns the next rename from a former name to a missing one.
  func next(_ resolve: (String, [Named]) throws -> Named?) rethrows -> Rename? {
    for named in wanted where isMissing(named) {
      let sources = sources(of: named)
      for source in sources.filter({ owners[$0] == nil }) + sources.filter({ owners[$0] != nil }) {
        guard let from = names[source] else { continue }
        let candidates = candidates(for: source)
        let chosen = candidates.count == 1 ? candidates[0] : try resolve(from, candidates)
        if let chosen, FoldedName(chosen.name) == FoldedName(named.name) {
          return Rename(from: from, to: named.name)
        }
      }
    }
    return nil
  }

  /// Returns the candidates for a name.
  ///
  /// The one that has the name today is a candidate, too, unless it takes another name that nothing
  /// else has.
  private func candidates(for source: FoldedName) -> [Named] {
    var candidates = wanted.filter { isMissing($0) && sources(of: $0).contains(source) }
    if let owner = owners[source],
      !sources(of: owner).contains(where: { owners[$0] == nil })
    {
      candidates.append(owner)
    }
    return candidates
  }

  mutating func rename(_ rename: Rename) {
    renames.append(rename)
    names[FoldedName(rename.from)] = nil
    names[FoldedName(rename.to)] = rename.to
    given.insert(FoldedName(rename.to))
  }

  // MARK: Existing names

  /// Returns the circles in which each has the former name of another one.
  func cycles(_ settled: Set<Renames.Claim>) -> [[Rename]] {
    var sources: [FoldedName: Rename] = [:]
    for named in wanted {
      let name = FoldedName(named.name)
      guard names[name] != nil, !given.contains(name) else { continue }
      let former = named.formerNames.first {
        let former = FoldedName($0)
        return names[former] != nil && owners[former] != nil && !given.contains(former)
      }
      if let former, let from = names[FoldedName(former)] {
        sources[name] = Rename(from: from, to: named.name)
      }
    }
    var cycles: [[Rename]] = []
    var seen: Set<FoldedName> = []
    for named in wanted where !seen.contains(FoldedName(named.name)) {
      let first = FoldedName(named.name)
      var cycle: [Rename] = []
      var name = first
      while let rename = sources[name], cycle.count <= sources.count {
        cycle.append(rename)
        name = FoldedName(rename.from)
        if name == first { break }
      }
      guard !cycle.isEmpty, name == first, cycle.count <= sources.count else { continue }
      seen.formUnion(cycle.map { FoldedName($0.to) })
      // A claim that is new means that the exchange hasn't been done.
      let isDone = cycle.allSatisfy { settled.contains(Renames.Claim($0.to, from: $0.from)) }
      if !isDone { cycles.append(cycle) }
    }
    return cycles
  }

  /// Exchanges the names of a circle, by way of a name that nothing has.
  mutating func exchange(_ cycle: [Rename]) {
    guard let last = cycle.last else { return }
    var spare = "signalbox_renamed"
    while names[FoldedName(spare)] != nil { spare += "_" }
    // Each takes the name of the next one, so the first one's own name must be free first.
    renames.append(Rename(from: cycle[0].to, to: spare))
    renames += cycle.dropLast()
    renames.append(Rename(from: spare, to: last.to))
    given.formUnion(cycle.map { FoldedName($0.to) })
  }
}
