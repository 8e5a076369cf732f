import DeparturesModel
import Foundation
import Signalbox
import TerminalScreen

/// New York's departures as a live board.
@main enum DeparturesApp {
  static func main() async {
    let run = Task { @MainActor in
      await Program(arguments: Array(CommandLine.arguments.dropFirst())).run()
    }
    // The task is cancelled between two commits, so the store is consistent and the next start
    // continues.
    let interrupt = Interrupt { run.cancel() }
    let status = await run.value
    // The screen's reader of signals may have been first. Then the status contains the signal.
    let number = status == Program.Status.interrupted ? interrupt.number : nil
    ProcessEnd.exit(number.map { 128 + $0 } ?? status)
  }
}
