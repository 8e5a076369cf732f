internal import EntityStore

/// The assignment of the names that an older schema has written to the names of today.
///
/// It does what opening a file does with its tables and columns, as far as that can be known from
/// names alone. A name that isn't present takes the newest of its former names that is present. It
/// first looks at those that nothing else is called today, and then at the others. A name that is
/// present stays. An exchange of two names can't be seen from the names.
struct FormerNames {
  /// Something that has a name, and had other names before, newest first.
  struct Named {
    let name: String
    let formerNames: [String]
  }

  private let wanted: [Named]
  private let present: [String]
  /// For each present name, the index in `wanted` of the item that has it today, or nil.
  private let owners: [Int?]
  /// The indices of present names that now belong to something else.
  private var taken: Set<Int> = []
  /// For each wanted item, the index of its name in `present`, or nil if it isn't present.
  private(set) var places: [Int?]

  init(_ wanted: [Named], among present: [String]) {
    self.wanted = wanted
    self.present = present
    places = wanted.map { named in present.firstIndex { TextBytes.equal($0, named.name) } }
    owners = present.map { name in wanted.firstIndex { TextBytes.equal($0.name, name) } }
  }

  /// Follows the former names.
  ///
  /// - Parameter resolve: Returns the owner of a name that may belong to several, given by their
  ///   indices.
  /// - Throws: The error that `resolve` throws.
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

  /// Returns the indices of the former names that are present and not taken.
  private func sources(of place: Int) -> [Int] {
    wanted[place].formerNames.compactMap { former in
      present.firstIndex { TextBytes.equal($0, former) }
    }.filter { !taken.contains($0) }
  }

  /// Returns the candidates for a present name.
  ///
  /// These are all items that aren't present and had that name before. The item that has the name
  /// today is one as well, unless it takes another name, which nothing else has today.
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
