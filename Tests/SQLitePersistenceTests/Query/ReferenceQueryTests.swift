@_spi(Storage) @testable import EntityStore
@_spi(Storage) @testable import SQLMapping
@testable import SQLitePersistence
import TestSupport
import Testing

private struct Job: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Job.id))
  static let schema = Schema(attributes, Job.init)
}

private struct Worker: Entity {
  let id: Int
  var job: Ref<Job>?
  var helper: Ref<Worker>?
  static let attributes = Attributes(
    .id(\Worker.id), .one("job", \.job, lateBound: true), .one("helper", \.helper))
  static let schema = Schema(attributes, Worker.init)
}

@Suite struct `A reference in SQL` {
  private func sql(
    @Condition<Worker>.Builder _ condition: (Row<Worker, Worker>) -> Condition<Worker>
  ) -> String {
    SQLQuery(FetchPlan(Query<Worker>().filter(condition).description), SQLiteDialect()).select.sql
  }

  @Test func `S7: its own column is compared, and nothing is joined for it`() {
    for text in [
      sql { $0.job == Ref(7) }, sql { $0.job != Ref(7) }, sql { $0.job.isNil },
      sql { $0.job.in([Ref(7), Ref(8)]) },
    ] {
      #expect(!text.contains("JOIN"))
      #expect(text.contains(#""job""#))
    }
    #expect(sql { $0.job.id == 7 }.contains("JOIN"))
    #expect(sql { $0.helper.job == Ref(7) }.ranges(of: "JOIN").count == 1)
  }
}

@Suite struct `A condition in SQL` {
  /// How SQLite goes about a query, in its own words.
  private func plan<E: Entity>(
    _ query: Query<E>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let path = temporaryPath()
    let store = try openGarage(path)
    defer { withExtendedLifetime(store) {} }
    let sql = SQLQuery(FetchPlan(query.description), SQLiteDialect()).select.sql
    let rows = try RawDatabase(path).rows("EXPLAIN QUERY PLAN " + sql)
    return rows.map { ($0.last ?? nil) ?? "" }.joined(separator: "; ")
  }

  @Test func `S7: ranges and lists are found by an index, and nothing is put in order that is`()
    throws
  {
    for query in [
      Query<Car>().filter { $0.id > 7 }, Query<Car>().filter { $0.id.in(1..<9) },
      Query<Car>().filter { $0.id.in([1, 2]) },
      Query<Car>().filter { $0.model == "b" }, Query<Car>().filter { $0.owner == Ref("ann") },
      Query<Car>().filter { ($0.id > 7) && ($0.model != "") },
    ] {
      let plan = try plan(query)
      #expect(plan.contains("SEARCH"), "\(plan)")
    }
    let page = try plan(Query<Car>().filter { $0.id > 7 }.limit(10))
    #expect(!page.contains("TEMP B-TREE"), "\(page)")
    let many = try plan(Query<Person>().filter { $0.cars.any { $0.id > 7 } })
    #expect(many.contains("SEARCH"), "\(many)")
  }
}
