import DeparturesModel
import Foundation
import Signalbox

/// The number of flights that leave soon by their latest announcement, by the board's time.
///
/// It changes with each announcement, and as time passes between them.
@MainActor final class LeavingSoon {
  private let number: ObservedValue<Int>

  init(in store: Store) throws {
    number = try ObservedValue(in: store, delivery: .mainActor) { try $0.count(Self.flights) }
  }

  /// The flights that are at the gate, or late, and should leave soon.
  nonisolated static var flights: Query<Departure> {
    Query<Departure>().filter {
      $0.stage.order < Status.departed.order
      $0.estimated <= .now(adding: .minutes(BoardPage.minutesOfSoon))
    }
  }

  var count: Int { number.value }

  /// Calls `body` when the number has changed.
  func follow(_ body: @escaping @MainActor () -> Void) -> SubscriptionToken {
    number.didChange.subscribe(on: .mainActor) { _ in body() }
  }
}
