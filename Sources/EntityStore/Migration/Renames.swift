/// The renames of a file's tables or columns.
package enum Renames {
  /// A table or column with its name, and its former names, newest first.
  package struct Named: Sendable {
    package let name: String
    package let formerNames: [String]

    package init(name: String, formerNames: [String]) {
      self.name = name
      self.formerNames = formerNames
    }
  }

  package struct Rename: Hashable {
    package let from: String
    package let to: String

    package init(from: String, to: String) {
      self.from = from
      self.to = to
    }
  }

  /// A claim of a schema about the past: that something had another name.
  package struct Claim: Hashable {
    package let name: FoldedName
    package let former: FoldedName

    package init(_ name: String, from former: String) {
      self.name = FoldedName(name)
      self.former = FoldedName(former)
    }
  }

  package static func claims(_ all: [Named]) -> Set<Claim> {
    Set(all.flatMap { named in named.formerNames.map { Claim(named.name, from: $0) } })
  }

  /// Returns the renames that lead from the names in a file to the wanted names, in order.
  ///
  /// A missing name is taken from the newest of its former names that exists. Former names that
  /// nothing else has today are preferred to the others. So `a` becomes `b` if `b` became `c`, or
  /// if another `a` is new. An existing name stays, with one exception: if it and others each have
  /// the former name of another one, these exchange their names, once. So `settled` contains the
  /// claims with which the file has been opened before.
  ///
  /// - Parameters:
  ///   - wanted: the tables or columns that the file should have.
  ///   - present: the names that the file has.
  ///   - settled: the claims that need no renaming any more.
  ///   - resolve: returns the owner of something that several may take. The candidates are those
  ///     that had its name, and then the one that has it today. If it returns nil, nothing is
  ///     renamed.
  /// - Returns: the renames. Those of an exchange use an intermediate name that nothing has.
  /// - Throws: an error of `resolve`.
  package static func plan(
    _ wanted: [Named], present: some Sequence<String>, settled: Set<Claim> = [],
    resolve: (_ name: String, _ candidates: [Named]) throws -> Named?
  ) rethrows -> [Rename] {
    var planner = RenamePlanner<FoldedName>(wanted, present: present)
    try planner.follow(resolve)
    for cycle in planner.cycles(settled) { planner.exchange(cycle) }
    return planner.renames
  }

  /// Returns the renames of names that are compared by their bytes.
  ///
  /// Nothing else is known of them, so an exchange can't be seen.
  package static func exactPlan(
    _ wanted: [Named], present: some Sequence<String>,
    resolve: (_ name: String, _ candidates: [Named]) throws -> Named?
  ) rethrows -> [Rename] {
    var planner = RenamePlanner<ExactText>(wanted, present: present)
    try planner.follow(resolve)
    return planner.renames
  }
}
