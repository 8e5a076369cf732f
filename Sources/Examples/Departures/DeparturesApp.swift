import Foundation
import Signalbox

/// New York's departures as a live board.
@main enum DeparturesApp {
  static func main() async {
    let run = Task { @MainActor in
      await Program(arguments: Array(CommandLine.arguments.dropFirst())).run()
    }
    // Cancelled between two commits, so the store is whole and the next start goes on.
    let interrupt = Interrupt { run.cancel() }
    let status = await run.value
    withExtendedLifetime(interrupt) {}
    exit(status)
  }
}
