/// A plan with prepared expressions.
struct CompiledPlan {
  let entity: EntityDescription
  let filter: CompiledExpression?
  let order: [SortKey]
  let keys: [CompiledExpression]
  let values: [CompiledExpression]
  /// The reads of other objects that several objects may share.
  let shared: SharedReads

  init(_ plan: FetchPlan) {
    entity = plan.entity
    filter = plan.filter.map { CompiledExpression($0, of: plan.entity) }
    order = plan.order
    keys = plan.order.map { CompiledExpression($0.expression, of: plan.entity) }
    values = plan.values.map { CompiledExpression($0, of: plan.entity) }
    let all = [filter].compactMap { $0 } + keys + values
    shared = all.contains(where: \.readsOthers) ? SharedReads(of: plan.expressions) : .nothing
  }
}
