import DeparturesModel
import Foundation
import Signalbox

/// A board that follows what another Departures commits to the same store, on this machine or
/// another.
@MainActor final class FollowRun {
  let presenter: BoardPresenter
  private let store: Store
  private let timeline: Timeline
  private let verifier: FollowVerifier?
  private let lines: AsyncStream<EventLine>
  private let continuation: AsyncStream<EventLine>.Continuation

  /// The number of events after which the board was compared, or nil without verification.
  var verified: Int? { verifier?.checked }

  /// Opens the store, and waits until another program has imported the day.
  ///
  /// - Throws: The errors of the store, or ``InputError`` if the store has another day.
  init(_ tables: DayTables, in backing: StorageKind, options: Options) async throws {
    store = try Store(backing, entities: Dispatcher.entities)
    let dispatcher = Dispatcher(store, tables: tables)
    timeline = dispatcher.timeline
    while true {
      if let playhead = try store.find(Playhead.self, Playhead.onlyID) {
        guard playhead.source == dispatcher.source else {
          throw InputError(
            "the store has other data, of \(playhead.day); follow it with its --data")
        }
        break
      }
      try await Task.sleep(for: .milliseconds(100))
    }
    presenter = try BoardPresenter(
      BoardRequest(grouping: options.grouping), in: store, clocks: tables.clocks)
    let version = try store.version
    verifier =
      options.verifies ? FollowVerifier(presenter, tables, timeline, from: version) : nil
    (lines, continuation) = AsyncStream.makeStream()
  }

  /// Runs until the day is over.
  ///
  /// - Parameter shown: A closure that is called after each event, with the line that describes it.
  /// - Throws: `CancellationError`, ``VerificationError``, the errors of reading, or the error that
  ///   `shown` throws.
  func run(shown: (EventLine) throws -> Void) async throws {
    // Each model begins with the newest version. From here on, all show the same one.
    await store.flush()
    presenter.onEvent = { [weak self] line in self?.take(line) }
    defer { presenter.onEvent = nil }
    // The first board may be the last one.
    if presenter.tick < timeline.ticks.count {
      for await line in lines {
        if let failure = verifier?.failure { throw failure }
        try shown(line)
      }
    }
    // After an error that is over, a model was read again, with the exact difference.
    if let failure = verifier?.failure ?? presenter.staleness { throw failure }
    try Task.checkCancellation()
  }

  private func take(_ line: EventLine) {
    continuation.yield(line)
    if presenter.tick == timeline.ticks.count { continuation.finish() }
  }
}
