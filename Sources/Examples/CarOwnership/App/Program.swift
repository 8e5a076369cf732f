import Foundation
import TerminalScreen

/// The program from its arguments to its exit status.
///
/// All errors of the input are found before the store is opened. So bad input creates no store, and
/// doesn't change an existing one.
@MainActor struct Program {
  /// The exit statuses of the program.
  enum Status {
    static let success: Int32 = 0
    /// The store failed while the program was running.
    static let failure: Int32 = 1
    /// The arguments, the file to import or the store can't be used.
    static let badInput: Int32 = 2
  }

  let arguments: [String]
  var kind = TerminalKind.ofStandardOutput

  /// Runs the program.
  ///
  /// An error is printed as one line on standard error.
  func run() async -> Int32 {
    do {
      let options = try Options(arguments: arguments)
      if options.showsHelp {
        print(Options.help)
        return Status.success
      }
      let documents = try options.importedFile.map { try ImportedOwnerships(contentsOf: $0) }
      let garage = try openGarage(options)
      if let documents { try take(documents, in: garage) }
      return kind.isScreen ? try await runScreen(garage) : runText(garage)
    } catch {
      complain("\(error)")
      return Status.badInput
    }
  }

  private func openGarage(_ options: Options) throws -> Garage {
    let file = options.store ?? Options.defaultStore
    if options.store == nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    return try Garage(path: file.path)
  }

  private func take(_ documents: ImportedOwnerships, in garage: Garage) throws {
    let isShown = isatty(STDERR_FILENO) == 1
    try documents.insert(into: garage) { done, count in
      if isShown { complain("importing \(done) of \(count) …", ends: done == count) }
    }
    let count = documents.rows.count
    complain("imported \(count) \(count == 1 ? "car" : "cars")")
  }

  private func runText(_ garage: Garage) -> Int32 {
    let (interactor, presenter) = OwnershipComposer(garage: garage, host: nil).makeInteractor()
    let text = OwnershipText(interactor: interactor)
    presenter.delegate = text
    text.reload()
    for line in text.lines { print(harmlessLine(line)) }
    guard let failure = text.failure else { return Status.success }
    complain(failure)
    return Status.failure
  }

  private func runScreen(_ garage: Garage) async throws -> Int32 {
    let session = try TerminalSession(isColored: kind.isColored)
    defer { session.close() }
    let stack = ScreenStack(display: session)
    stack.push(OwnershipComposer(garage: garage, host: stack).makeModule())
    // A shell reports a program that a signal has ended in the same way.
    return await stack.run(session).map { 128 + $0 } ?? Status.success
  }

  private func complain(_ text: String, ends: Bool = true) {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let start = isatty(STDERR_FILENO) == 1 ? "\r" : ""
    try? FileHandle.standardError.write(
      contentsOf: Data((start + "carownership: " + harmlessLine(line) + (ends ? "\n" : "")).utf8))
  }
}
