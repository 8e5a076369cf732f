import DeparturesModel
import Signalbox

/// A presenter that follows one flight, and records its changes.
@MainActor final class DetailPresenter {
  /// A change of the flight.
  struct Change: Hashable, Sendable {
    var clock: String
    var text: String
  }

  private let flight: ObservedEntity<Departure>
  private let clocks: Clocks
  private let clock: () -> String
  private var token: SubscriptionToken?
  private(set) var history: [Change] = []

  private static let mostChanges = 100

  /// Creates a presenter.
  ///
  /// - Parameters:
  ///   - id: The flight.
  ///   - store: The store of the flight.
  ///   - clocks: The clocks that show times.
  ///   - clock: A closure that returns the board's time.
  /// - Throws: `StoreError.notFound` if the flight has left the board in the meantime.
  init(
    _ id: Flight.ID, in store: Store, clocks: Clocks, clock: @escaping () -> String
  ) throws {
    self.clocks = clocks
    self.clock = clock
    flight = try ObservedEntity(id, in: store, delivery: .mainActor, policy: .every) {
      $0.carrier.name
      $0.origin.name
      $0.destination.name
      $0.aircraft.manufacturer
      $0.aircraft.model
      $0.aircraft.seats
      $0.aircraft.year
      $0.stage.title
    }
    token = flight.didChange.subscribe(on: .mainActor) { [weak self] in self?.take($0) }
  }

  private func take(_ event: ObservedEntity<Departure>.Event) {
    let now = clock()
    if event.isDeleted {
      history.append(Change(clock: now, text: "taken off the board"))
    } else if event.wasDeleted {
      history.append(Change(clock: now, text: "on the board again"))
    }
    let before = event.before.map(fields) ?? []
    for (old, new) in zip(before, fields(event.after)) where old != new {
      history.append(Change(clock: now, text: "\(new.name): \(old.text) -> \(new.text)"))
    }
    history.removeFirst(max(0, history.count - Self.mostChanges))
  }

  /// The content of a view.
  var page: DetailPage {
    let view = flight.view
    return DetailPage(
      title: "\(view.value.carrier.id) \(view.value.number)", fields: fields(view),
      isGone: flight.isDeleted, history: history)
  }

  private func fields(_ flight: EntityView<Departure>) -> [DetailPage.Field] {
    let value = flight.value
    let aircraft = flight.aircraft.map { aircraft in
      "\(aircraft.manufacturer) \(aircraft.model), \(aircraft.seats) seats"
        + (aircraft.year.map { ", built \($0)" } ?? "")
    }
    func place(_ code: String, _ name: String?) -> String { name.map { "\($0) (\(code))" } ?? code }
    return [
      DetailPage.Field("airline", place(value.carrier.id, flight.carrier?.name)),
      DetailPage.Field("from", place(value.origin.id, flight.origin?.name)),
      DetailPage.Field("to", place(value.destination.id, flight.destination?.name)),
      DetailPage.Field("status", flight.stage?.title ?? value.stage.id.title),
      DetailPage.Field("scheduled", clocks.clock(Minute(value.scheduled))),
      DetailPage.Field("estimated", clocks.clock(Minute(value.estimated))),
      DetailPage.Field("tail number", value.aircraft?.id ?? "unknown"),
      DetailPage.Field("aircraft", aircraft ?? "unknown"),
    ]
  }
}
