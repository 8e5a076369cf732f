package import FetchedObjects
import Foundation
package import Relays
internal import TerminalScreen

/// The output of a program: answers to commands, and what the models' events say.
///
/// Events that are delivered together are printed together, in the order of their ranks. So the
/// output doesn't depend on the order in which models are notified.
@MainActor package final class LiveOutput {
  /// Returns lines that are made when events are printed, after all models have changed.
  package var status: () -> [String] = { [] }
  private let write: (String) -> Void
  private var waiting: [(rank: Int, line: String)] = []
  private var mutedRank: Int?

  /// Creates an output.
  ///
  /// - Parameter write: A function that writes one line. It is called with harmless text.
  package init(_ write: @escaping (String) -> Void = LiveOutput.writeLine) { self.write = write }

  /// Writes a line to standard output at once, also into a pipe.
  ///
  /// `print` and `fflush(nil)` would do that, too. But `fflush(nil)` waits for the lock of standard
  /// input, which another thread holds while it waits for a line.
  package nonisolated static func writeLine(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Writes a line to standard error, with control characters written out.
  package nonisolated static func complain(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((harmlessLine(line) + "\n").utf8))
  }

  /// Prints an answer.
  package func print(_ lines: String...) { print(lines) }

  /// Prints lines, with control characters in them written out.
  package func print(_ lines: [String]) {
    for line in lines { write(harmlessLine(line)) }
  }

  /// Prints the events that have been delivered, and then the status.
  package func printEvents() {
    let events = waiting.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }
    waiting = []
    print(events.map(\.element.line) + status())
  }

  /// Runs a function without printing the events of a rank, because a whole screen follows.
  ///
  /// Events of other models are printed. The function may also find commits of other programs.
  package func muting<Result>(_ rank: Int, _ body: () throws -> Result) rethrows -> Result {
    mutedRank = rank
    defer { mutedRank = nil }
    return try body()
  }

  /// Prints lines for the events of a model, and its errors.
  package func follow<List: ListModel>(
    _ list: List, rank: Int, _ lines: @escaping @MainActor (ListEvent<List.Row>) -> [String]
  ) -> [SubscriptionToken] {
    [
      list.didChange.subscribe(on: .mainActor) { [weak self] event in
        self?.add(lines(event), rank: rank)
      },
      follow(errors: list.errors),
    ]
  }

  /// Prints lines for each new value, and the errors of reading it.
  package func follow<Value: Sendable & Equatable>(
    _ value: ObservedValue<Value>, rank: Int, _ lines: @escaping @MainActor (Value) -> [String]
  ) -> [SubscriptionToken] {
    [
      value.didChange.subscribe(on: .mainActor) { [weak self] change in
        self?.add(lines(change.new), rank: rank)
      },
      follow(errors: value.errors),
    ]
  }

  /// Prints the errors that a model or a store publishes.
  package func follow(errors: Signal<any Error>) -> SubscriptionToken {
    errors.subscribe(on: .mainActor) { [weak self] error in self?.add(["\(error)"], rank: .max) }
  }

  private func add(_ lines: [String], rank: Int) {
    guard rank != mutedRank else { return }
    waiting += lines.map { (rank, $0) }
    // A command prints its events itself. Those of other programs and of time are printed here.
    Task { [weak self] in self?.printEvents() }
  }
}
