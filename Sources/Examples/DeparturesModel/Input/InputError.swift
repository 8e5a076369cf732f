internal import Signalbox

/// An error in the user's input: a file, a row of a file, or an option.
///
/// It is printed as one line: `flights.csv:3:9: "abc" is not a whole number (dep_delay)`.
public struct InputError: Error, Hashable, CustomStringConvertible {
  /// The file as the user would name it, or nil if the error isn't in a file.
  public var file: String?
  /// The line in the file, counted from 1.
  public var line: Int?
  /// The character in the line, counted from 1.
  public var column: Int?
  /// A sentence about the mistake.
  public var message: String

  /// Creates an error with its position, where it is known.
  public init(_ message: String, file: String? = nil, line: Int? = nil, column: Int? = nil) {
    self.message = message
    self.file = file
    self.line = line
    self.column = column
  }

  /// The text for messages.
  ///
  /// Characters of the input that would control a terminal are written out, and a long text is cut.
  public var description: String {
    let parts = [file, line.map(String.init), column.map(String.init)].compactMap { $0 }
    let text = parts.isEmpty ? message : parts.joined(separator: ":") + ": " + message
    return text.harmless(atMost: 3000)
  }
}
