@_spi(Storage) @testable import EntityStore
import TestSupport
import Testing

/// Expects that a reader finds what a plain world has.
func expectFinds(
  _ plan: FetchPlan, _ reader: any StorageReader, _ world: World
) throws {
  let expected = world.fetch(plan)
  let found: [FetchedRow]
  do {
    found = try reader.fetch(plan)
  } catch {
    return recordIssue("\(type(of: reader)) threw \(error) for \(plan.described)")
  }
  let isSame = found.elementsEqual(expected) { found, expected in
    found.row.values.elementsEqual(expected.row, by: Plain.equal)
      && found.values.elementsEqual(expected.values, by: Plain.equal)
  }
  expectTrue(
    isSame,
    """
    \(type(of: reader)) found \(found.map { ($0.row.id, $0.values) }) and not \
    \(expected.map { ($0.row[plan.entity.identity], $0.values) }) for \(plan.described)
    """)
  let count = try reader.count(plan.entity, where: plan.filter)
  let all = world.fetch(plan.unlimited).count
  expectTrue(
    count == all,
    "\(type(of: reader)) counted \(count) and not \(all) for \(plan.described)")
}

extension FetchPlan {
  var described: String {
    let condition = filter.map { "\($0)" } ?? "all"
    return "\(entity.name) where \(condition), by \(order), \(limit ?? -1) after \(offset)"
  }
}
