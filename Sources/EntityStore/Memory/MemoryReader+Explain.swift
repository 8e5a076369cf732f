extension MemoryReader {
  func explain(_ plan: FetchPlan) throws -> QueryPlan {
    beginRead()
    let table = try memory.table(of: plan.entity)
    if let wanted = plan.end, wanted < table.rows.count / 16, let walk = table.walk(of: plan) {
      return QueryPlan(
        of: plan,
        steps: [
          "along an index of \(walk.ranks.count) of \(table.rows.count) objects, until \(wanted) are found"
        ])
    }
    guard let filter = plan.filter else {
      return QueryPlan(of: plan, steps: ["through all \(table.rows.count) objects"])
    }
    let step =
      switch table.access(for: filter, of: plan.entity) {
      case .slot: "by the id"
      case .ranks(_, let ranges):
        "through \(ranges.reduce(0) { $0 + $1.count }) of \(table.rows.count) objects, by an index"
      case .slots(let slots):
        "through \(slots.count) of \(table.rows.count) objects, by the index of words"
      case .all: "through all \(table.rows.count) objects"
      }
    return QueryPlan(of: plan, steps: [step])
  }
}
