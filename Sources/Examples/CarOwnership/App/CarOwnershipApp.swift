import Foundation

/// Whose car is it: the list of ownerships, in a terminal.
@main enum CarOwnershipApp {
  static func main() async {
    exit(await Program(arguments: Array(CommandLine.arguments.dropFirst())).run())
  }
}
