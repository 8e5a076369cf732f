/// An error in the program's input, with its position.
struct InputError: Error, Hashable, CustomStringConvertible {
  var message: String
  var file: String?
  var line: Int?

  init(_ message: String, file: String? = nil, line: Int? = nil) {
    self.message = message
    self.file = file
    self.line = line
  }

  /// The message and its position, such as `cars.csv:17: "ninety" is not a number of kilometres`.
  var description: String {
    let place = [file, line.map { "\($0)" }].compactMap { $0 }.joined(separator: ":")
    return place.isEmpty ? message : "\(place): \(message)"
  }
}
