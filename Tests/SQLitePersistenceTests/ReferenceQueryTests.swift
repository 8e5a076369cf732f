@testable import EntityStore
@testable import SQLitePersistence
import Testing

private struct Job: Entity {
  let id: Int
  static let schema = Schema(Job.init, .id(\.id))
}

private struct Worker: Entity {
  let id: Int
  var job: Ref<Job>?
  var helper: Ref<Worker>?
  static let schema = Schema(
    Worker.init, .id(\.id), .one("job", \.job, lateBound: true), .one("helper", \.helper))
}

@Suite struct `A reference in SQL` {
  private func sql(
    @ConditionBuilder<Worker> _ condition: (Row<Worker, Worker>) -> Condition<Worker>
  ) -> String {
    SQLQuery(FetchPlan(Query<Worker>().filter(condition).description)).select.sql
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
