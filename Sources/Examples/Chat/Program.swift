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
      let options = try LineOptions(arguments, names: ["--file", "--as"])
      if options.showsHelp {
        output.print(Help.usage + Help.commands)
        return 0
      }
      let front = try ChatFront(
        open(options.values["--file"], as: options.values["--as"]), output: output)
      await front.run()
      return 0
    } catch {
      LiveOutput.complain("chat: \(error)")
      return 2
    }
  }

  private func open(_ file: String?, as name: String?) throws -> Chat {
    guard let file else {
      let store = try Store(.inMemory, entities: Chat.entities)
      let chat = try Chat(store, as: name ?? Sample.user)
      try Sample.fill(chat, now: Date())
      return chat
    }
    guard let name else {
      throw InputError("--file needs --as NAME, too; the others see who writes")
    }
    return try Chat(Store(.sqlite(path: file), entities: Chat.entities), as: name)
  }
}
