/// Which tables or columns of a file get another name.
enum Renames {
  /// What has a name, and had others before, newest first.
  struct Named: Sendable {
    let name: String
    let formerNames: [String]
  }

  struct Rename: Hashable {
    let from: String
    let to: String
  }

  /// What a schema says of the past: that something had another name.
  struct Claim: Hashable {
    let name: FoldedName
    let former: FoldedName

    init(_ name: String, from former: String) {
      self.name = FoldedName(name)
      self.former = FoldedName(former)
    }
  }

  /// What some schemas say.
  static func claims(_ all: [Named]) -> Set<Claim> {
    Set(all.flatMap { named in named.formerNames.map { Claim(named.name, from: $0) } })
  }

  /// The renames that lead from the names that a file has to those that are wanted, in order.
  ///
  /// What isn't there takes the newest of its former names that is there: first of those that nothing
  /// else is called today, then of the others, so `a` becomes `b` where `b` became `c`, or where another
  /// `a` is new. What is there stays, unless it and others are each what another one was called: these
  /// exchange their names, once. So `settled` says which claims the file has been opened with before.
  ///
  /// - Parameters:
  ///   - wanted: what there is to be.
  ///   - present: the names that the file has.
  ///   - settled: what need not be done any more.
  ///   - resolve: says whose something is that several may take: those that were called so, and then the one
  ///     that is called so today. Nil leaves it.
  /// - Returns: the renames. Those of an exchange go by way of a name that nothing has.
  /// - Throws: what `resolve` throws.
  static func plan(
    _ wanted: [Named], present: some Sequence<String>, settled: Set<Claim> = [],
    resolve: (_ name: String, _ candidates: [Named]) throws -> Named?
  ) rethrows -> [Rename] {
    var planner = RenamePlanner(wanted, present: present)
    while let rename = try planner.next(resolve) { planner.rename(rename) }
    for cycle in planner.cycles(settled) { planner.exchange(cycle) }
    return planner.renames
  }

  /// The same where what several may take is the first one's that was called so.
  static func plan(
    _ wanted: [Named], present: some Sequence<String>, settled: Set<Claim> = []
  ) -> [Rename] {
    plan(wanted, present: present, settled: settled) { $1.first }
  }
}
