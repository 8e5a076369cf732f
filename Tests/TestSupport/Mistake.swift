public import Testing

/// A mistake that stops the program, for a table of them.
///
///     private let mistakes = [
///       Mistake("a limit below 0", "A limit of -1 objects") { _ = Query<Car>().limit(-1) }
///     ]
///
///     @Test(arguments: mistakes) func `It traps and is named`(_ mistake: Mistake) async throws {
///       let trap = try await #require(
///         processExitsWith: .failure, observing: [\.standardErrorContent]
///       ) { [name = mistake.name as String] in
///         for mistake in mistakes where mistake.name == name { try mistake.make() }
///       }
///       trap.expectMessage(mistake.words)
///     }
///
/// A process whose table lacks the name ends with success, and so fails the test.
public struct Mistake: Sendable, CustomTestStringConvertible {
  /// Its name, which no other has in the table: the process that traps finds it by that.
  public let name: String
  /// A part of what the process says.
  public let words: String
  /// The code that makes it.
  public let make: @Sendable () throws -> Void

  /// A mistake with a name, the words that the process ends with, and the code that makes it.
  public init(_ name: String, _ words: String, _ make: @escaping @Sendable () throws -> Void) {
    self.name = name
    self.words = words
    self.make = make
  }

  /// Its name.
  public var testDescription: String { name }
}

extension ExitTest.Result {
  /// Expects that the process, which trapped, has said why.
  ///
  /// - Parameters:
  ///   - message: A part of what it said.
  ///   - inRelease: Whether it says so in a release build, too; most trap there without a word.
  ///   - sourceLocation: The place of the call.
  public func expectMessage(
    _ message: String, inRelease: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #if !DEBUG
    guard inRelease else { return }
    #endif
    let text = String(decoding: standardErrorContent, as: UTF8.self)
    expectTrue(
      text.contains(message), "It said: \(text.suffix(400))", sourceLocation: sourceLocation)
  }
}
