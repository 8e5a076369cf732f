import EntityStore
import Foundation

/// The part of a program that reads lines and prints.
@MainActor package protocol LineFront: AnyObject {
  var output: LiveOutput { get }
  /// Prints the first screen.
  func begin()
  /// Carries out a command.
  ///
  /// - Returns: False if the program has to end.
  /// - Throws: An ``InputError``, or an error of the store.
  func carryOut(_ command: inout LineCommand) throws -> Bool
}

extension LineFront {
  /// Carries out a line, and prints the events or what is wrong.
  ///
  /// - Returns: False if the program has to end.
  package func take(_ line: String) -> Bool {
    var command = LineCommand(line)
    guard !command.isEmpty else { return true }
    do {
      defer { output.printEvents() }
      return try carryOut(&command)
    } catch StoreError.notFound(let object) {
      output.print("There is no \(object.words); write another number")
    } catch StoreError.missingReference(_, _, let object) {
      output.print("There is no \(object.words); write another number")
    } catch StoreError.notUnique(let objects, let attributes, _) {
      let object = objects.first.map { "\($0.words) has" } ?? "another has"
      output.print("\(object) the same \(attributes.joined(separator: ", ")); write another one")
    } catch {
      output.print("\(error)")
    }
    return true
  }

  /// Reads standard input to its end.
  ///
  /// While it waits for a line, the main actor is free for the store's deliveries.
  package func run() async {
    let (lines, input) = AsyncStream<String>.makeStream()
    let reader = Thread {
      while let line = readLine() { input.yield(line) }
      input.finish()
    }
    reader.start()
    begin()
    for await line in lines where !take(line) { break }
  }
}

extension ObjectID {
  /// The kind and the id, such as `reminder 7`.
  fileprivate var words: String { "\(entityName.lowercased()) \(id.literal)" }
}
