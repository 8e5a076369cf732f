import Dispatch
import EntityStore
import FetchedObjects
import Foundation
import FoundationSupport
import ListDiffing
import Relays

/// A row that comes into a result or leaves it: because time has passed, or by a commit.
extension BenchmarkSuite {
  static let time = BenchmarkSuite {
    Benchmark(
      "FetchedObjects/now/100000", unit: .microseconds, aim: 2,
      measured: .loop("time passes one boundary") {
        let clock = BenchmarkClock()
        let store = try Store.appointments(100_000, clock.time)
        let counter = BoundaryCounter()
        let model = try FetchedObjectsModel(
          Query<Appointment>().filter { $0.begins <= Moment.now }
            .sorted { [$0.begins.ascending] }, in: store)
        let token = model.didChange.subscribe {
          counter.rows += $0.changes.changedRows
          clock.goOn()
        }
        return { iterations in
          let before = counter.rows
          let ended = DispatchSemaphore(value: 0)
          Task.detached {
            for _ in 0..<iterations { await clock.swing() }
            ended.signal()
          }
          ended.wait()
          guard counter.rows - before == iterations else {
            throw BenchmarkError.wrong("\(counter.rows - before) rows, not \(iterations)")
          }
          blackHole((model, token))
        }
      },
      baseline: .loop("a commit of one row") {
        let store = try Store.appointments(100_000, .system)
        let counter = BoundaryCounter()
        let now = Date(timeIntervalSince1970: BenchmarkClock.start)
        let model = try FetchedObjectsModel(
          Query<Appointment>().filter { $0.begins <= now }.sorted { [$0.begins.ascending] },
          in: store)
        let token = model.didChange.subscribe { counter.rows += $0.changes.changedRows }
        var turn = 0
        return { iterations in
          let before = counter.rows
          for _ in 0..<iterations {
            turn += 1
            let begins = BenchmarkClock.start + (turn % 2 == 0 ? 0.5 : -0.5)
            try store.commit { draft in
              try draft.update(Appointment.self, 50_001) {
                $0.begins = Date(timeIntervalSince1970: begins)
              }
            }
          }
          guard counter.rows - before == iterations else {
            throw BenchmarkError.wrong("\(counter.rows - before) rows, not \(iterations)")
          }
          blackHole((model, token))
        }
      })
  }
}

/// What begins at a time: one each second.
private struct Appointment: Entity {
  let id: Int
  var begins: Date
  static let attributes = Attributes(.id(\Appointment.id), .attribute("begins", \.begins))
  static let schema = Schema(attributes, Appointment.init, rules: [.index(\.begins)])
}

extension Store {
  fileprivate static func appointments(_ count: Int, _ time: TimeSource) throws -> Store {
    let store = try Store(.inMemory, entities: [Appointment.self], time: time)
    let first = BenchmarkClock.start - Double(count / 2)
    try store.commit { draft in
      for id in 0..<count {
        try draft.insert(
          Appointment(id: id, begins: Date(timeIntervalSince1970: first + Double(id))))
      }
    }
    return store
  }
}

/// A clock that swings about the time of one appointment, and ends the store's sleep each time.
private final class BenchmarkClock: @unchecked Sendable {
  // @unchecked: `state` is reached under the lock.

  private struct State {
    var now = BenchmarkClock.start + 0.5
    /// The store's sleep.
    var sleeper: CheckedContinuation<Void, Never>?
    /// True if the next sleep is over as it begins.
    var hasSwung = false
    /// The task that waits for the event.
    var swinger: CheckedContinuation<Void, Never>?
  }

  static let start = 1_800_000_000.0
  private let lock = PlainLock()
  private var state = State()

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    lock.withLock { body(&state) }
  }

  /// Sets the clock, and waits for `goOn()`.
  func swing() async {
    await withCheckedContinuation { swinger in
      let sleeper = withState { state in
        state.now = state.now == Self.start + 0.5 ? Self.start + 1.5 : Self.start + 0.5
        state.swinger = swinger
        state.hasSwung = state.sleeper == nil
        return state.sleeper.take()
      }
      sleeper?.resume()
    }
  }

  func goOn() { withState { $0.swinger.take() }?.resume() }

  private func sleep() async {
    await withCheckedContinuation { sleeper in
      let isOver = withState { state in
        if !state.hasSwung { state.sleeper = sleeper }
        defer { state.hasSwung = false }
        return state.hasSwung
      }
      if isOver { sleeper.resume() }
    }
  }

  var time: TimeSource {
    TimeSource {
      self.withState { $0.now }
    } sleep: { _ in
      await self.sleep()
    }
  }
}

/// The rows that events have named.
private final class BoundaryCounter: @unchecked Sendable {
  // @unchecked: events come one after another.
  var rows = 0
}

extension ListChanges {
  fileprivate var changedRows: Int { inserts.count + deletes.count }
}
