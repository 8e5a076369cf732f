internal import EntityStore

/// Which of the names that an older schema has written is whose today.
///
/// It is what opening a file does with its tables and columns, as far as names alone tell: what isn't there
/// takes the newest of its former names that is there, first of those that nothing else is called today, then
/// of the others. What is there stays. That two have exchanged their names, no name tells.
struct FormerNames {
  /// What has a name, and had others before, newest first.
  struct Named {
    let name: String
    let formerNames: [String]
  }

  private let wanted: [Named]
  private let present: [String]
  /// Who is called so today, by the places of names.
  private let owners: [Int?]
  /// The places of names that have become another's.
  private var taken: Set<Int> = []
  /// Where the name of each that is wanted stands among those that are there, if it does.
  private(set) var places: [Int?]

  init(_ wanted: [Named], among present: [String]) {
    self.wanted = wanted
    self.present = present
    places = wanted.map { named in present.firstIndex { TextBytes.equal($0, named.name) } }
    owners = present.map { name in wanted.firstIndex { TextBytes.equal($0.name, name) } }
  }

  /// Follows the former names.
  ///
  /// - Parameter resolve: says whose a name is that may be that of several, given by their places.
  /// - Throws: what `resolve` throws.
  mutating func follow(_ resolve: (_ name: String, _ candidates: [Int]) throws -> Int) rethrows {
    while let (place, source) = try next(resolve) {
      taken.insert(source)
      if let owner = owners[source], places[owner] == source { places[owner] = nil }
      places[place] = source
    }
  }

  private func next(_ resolve: (String, [Int]) throws -> Int) rethrows -> (Int, source: Int)? {
    for place in wanted.indices where places[place] == nil {
      let sources = sources(of: place)
      for source in sources.filter({ owners[$0] == nil }) + sources.filter({ owners[$0] != nil }) {
        let candidates = candidates(for: source)
        let chosen =
          candidates.count == 1 ? candidates[0] : try resolve(present[source], candidates)
        if chosen == place { return (place, source) }
      }
    }
    return nil
  }

  /// Where those of its former names stand that are there to be taken.
  private func sources(of place: Int) -> [Int] {
    wanted[place].formerNames.compactMap { former in
      present.firstIndex { TextBytes.equal($0, former) }
    }.filter { !taken.contains($0) }
  }

  /// Those that aren't there and were called so, and the one that is called so today, unless that takes another
  /// name, which nobody else has.
  private func candidates(for source: Int) -> [Int] {
    var candidates = wanted.indices.filter {
      places[$0] == nil && sources(of: $0).contains(source)
    }
    if let owner = owners[source], places[owner] == source,
      !sources(of: owner).contains(where: { owners[$0] == nil })
    {
      candidates.append(owner)
    }
    return candidates
  }
}
