/// A name in the form in which it is compared.
protocol ComparedName: Hashable {
  init(_ name: String)
}

extension FoldedName: ComparedName {}
extension ExactText: ComparedName {}

/// The names of a file while they are changed.
struct RenamePlanner<Name: ComparedName> {
  typealias Named = Renames.Named
  typealias Rename = Renames.Rename

  private let wanted: [Named]
  private let owners: [Name: Named]
  private var names: [Name: String]
  /// The names that have been given in this plan.
  ///
  /// Each of them stays with the table or column to which it was given.
  private var given: Set<Name> = []
  private(set) var renames: [Rename] = []

  init(_ wanted: [Named], present: some Sequence<String>) {
    self.wanted = wanted
    owners = Dictionary(wanted.map { (Name($0.name), $0) }) { first, _ in first }
    names = Dictionary(present.map { (Name($0), $0) }) { first, _ in first }
  }

  /// Returns the former names that exist and can be taken.
  private func sources(of named: Named) -> [Name] {
    named.formerNames.map { Name($0) }.filter { names[$0] != nil && !given.contains($0) }
  }

  private func isMissing(_ named: Named) -> Bool {
    let name = Name(named.name)
    return names[name] == nil && !given.contains(name)
  }

  // MARK: Missing names

  /// Gives the missing names.
  mutating func follow(_ resolve: (String, [Named]) throws -> Named?) rethrows {
    while let rename = try next(resolve) {
      renames.append(rename)
      names[Name(rename.from)] = nil
      names[Name(rename.to)] = rename.to
      given.insert(Name(rename.to))
    }
  }

  /// Returns the next rename from a former name to a missing one.
  private func next(_ resolve: (String, [Named]) throws -> Named?) rethrows -> Rename? {
    for named in wanted where isMissing(named) {
      let sources = sources(of: named)
      for source in sources.filter({ owners[$0] == nil }) + sources.filter({ owners[$0] != nil }) {
        guard let from = names[source] else { continue }
        let candidates = candidates(for: source)
        let chosen = candidates.count == 1 ? candidates[0] : try resolve(from, candidates)
        if let chosen, Name(chosen.name) == Name(named.name) {
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
  private func candidates(for source: Name) -> [Named] {
    var candidates = wanted.filter { isMissing($0) && sources(of: $0).contains(source) }
    if let owner = owners[source],
      !sources(of: owner).contains(where: { owners[$0] == nil })
    {
      candidates.append(owner)
    }
    return candidates
  }

  // MARK: Existing names

  /// Returns the circles in which each has the former name of another one.
  func cycles(_ settled: Set<Renames.Claim>) -> [[Rename]] {
    var sources: [Name: Rename] = [:]
    for named in wanted {
      let name = Name(named.name)
      guard names[name] != nil, !given.contains(name) else { continue }
      let former = named.formerNames.first {
        let former = Name($0)
        return names[former] != nil && owners[former] != nil && !given.contains(former)
      }
      if let former, let from = names[Name(former)] {
        sources[name] = Rename(from: from, to: named.name)
      }
    }
    var cycles: [[Rename]] = []
    var seen: Set<Name> = []
    for named in wanted where !seen.contains(Name(named.name)) {
      let first = Name(named.name)
      var cycle: [Rename] = []
      var name = first
      while let rename = sources[name], cycle.count <= sources.count {
        cycle.append(rename)
        name = Name(rename.from)
        if name == first { break }
      }
      guard !cycle.isEmpty, name == first, cycle.count <= sources.count else { continue }
      seen.formUnion(cycle.map { Name($0.to) })
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
    while names[Name(spare)] != nil { spare += "_" }
    // Each takes the name of the next one, so the first one's own name must be free first.
    renames.append(Rename(from: cycle[0].to, to: spare))
    renames += cycle.dropLast()
    renames.append(Rename(from: spare, to: last.to))
    given.formUnion(cycle.map { Name($0.to) })
  }
}
