import TerminalScreen

/// The program: a chat, in a terminal or a pipe.
@main enum ChatApp {
  static func main() async {
    ProcessEnd.exit(await Program(arguments: Array(CommandLine.arguments.dropFirst())).run())
  }
}
