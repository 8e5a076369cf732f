import TerminalScreen

/// The program: reminders, in a terminal or a pipe.
@main enum RemindersApp {
  static func main() async {
    ProcessEnd.exit(await Program(arguments: Array(CommandLine.arguments.dropFirst())).run())
  }
}
