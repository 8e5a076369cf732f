import Foundation
import LineProgram
import Signalbox

/// The program from its arguments to its exit status.
@MainActor struct Program {
  let arguments: [String]

  /// Runs the program.
  ///
  /// - Returns: The exit status: 0, or 2 if the options or the file can't be used.
  func run() async -> Int32 {
    let output = LiveOutput()
    do {
      let options = try LineOptions(arguments, names: ["--file"])
      if options.showsHelp {
        output.print(Help.usage + Help.commands)
        return 0
      }
      let front = try RemindersFront(open(options.values["--file"]), output: output)
      await front.run()
      return 0
    } catch {
      LiveOutput.complain("reminders: \(error)")
      return 2
    }
  }

  private func open(_ file: String?) throws -> Reminders {
    // The file keeps the commits, to be undone in a later run.
    let kind = file.map { StorageKind.sqlite(path: $0, historyLimit: 100) } ?? .inMemory
    let store = try Store(kind, entities: Reminders.entities)
    // Dates are written as 2026-06-29, whatever calendar the user has.
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let reminders = Reminders(store, calendar: calendar)
    if file == nil { try Sample.fill(reminders, now: Date()) }
    return reminders
  }
}
