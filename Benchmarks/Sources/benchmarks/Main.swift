import Foundation

@main
enum Main {
  static func main() {
    #if PostgreSQL
    CommittingProcesses.runIfAsked()
    #endif
    let command = Command(
      suites: suites,
      output: { write($0, to: .standardOutput) },
      errors: { write($0, to: .standardError) },
      showsProgress: isatty(FileHandle.standardError.fileDescriptor) == 1)
    exit(command.run(Array(CommandLine.arguments.dropFirst())))
  }

  private static func write(_ text: String, to file: FileHandle) {
    try? file.write(contentsOf: Data(text.utf8))
  }
}
