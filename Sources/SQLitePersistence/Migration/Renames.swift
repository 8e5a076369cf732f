/// Which tables or columns of a file get another name.
enum Renames {
  /// What has a name, and had others before.
  struct Named {
    let name: String
    let formerNames: [String]
  }

  struct Rename: Hashable {
    let from: String
    let to: String
  }

  /// The renames that lead from the names that a file has to those that are wanted, in order.
  ///
  /// What is there under its own name stays. What isn't takes the first of its former names that is
  /// there, also one that something else wants: that one is looked for under its own former names then,
  /// so `a` becomes `b` where `b` became `c`.
  static func plan(_ wanted: [Named], present: some Sequence<String>) -> [Rename] {
    var names = Dictionary(present.map { (FoldedName($0), $0) }) { a, _ in a }
    var given: Set<FoldedName> = []
    var renames: [Rename] = []
    var isChanged = true
    while isChanged {
      isChanged = false
      for named in wanted {
        let key = FoldedName(named.name)
        // Each is given once: two that exchange their names for ever would never end.
        guard names[key] == nil, !given.contains(key) else { continue }
        for former in named.formerNames {
          guard let found = names.removeValue(forKey: FoldedName(former)) else { continue }
          renames.append(Rename(from: found, to: named.name))
          names[key] = named.name
          given.insert(key)
          isChanged = true
          break
        }
      }
    }
    return renames
  }
}
