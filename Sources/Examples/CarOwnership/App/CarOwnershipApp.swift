import Foundation
import TerminalScreen

/// Whose car is it: the list of ownerships, in a terminal.
@main enum CarOwnershipApp {
  static func main() async {
    ProcessEnd.exit(await Program(arguments: Array(CommandLine.arguments.dropFirst())).run())
  }
}
