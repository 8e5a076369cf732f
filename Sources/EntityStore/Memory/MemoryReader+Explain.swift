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
    let all = table.rows.count
    let access = table.access(for: filter, of: plan.entity)
    let visited = "through \(access.count(of: all)) of \(all) objects"
    let step =
      switch access {
      case .slot: "by the id"
      case .listed: "\(visited), by their ids"
      case .ranks: "\(visited), by an index"
      case .slots: "\(visited), by the index of words"
      case .all: "through all \(all) objects"
      }
    return QueryPlan(of: plan, steps: [step])
  }
}
