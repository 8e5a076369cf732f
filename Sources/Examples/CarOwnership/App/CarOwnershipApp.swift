import Foundation
import TerminalScreen

/// The program: a list of cars and their owners, in a terminal.
@main enum CarOwnershipApp {
  static func main() async {
    ProcessEnd.exit(await Program(arguments: Array(CommandLine.arguments.dropFirst())).run())
  }
}
