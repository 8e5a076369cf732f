internal import EntityStore

/// A reason why a line can't be read.
enum JSONSyntaxError: Error {
  /// The line isn't JSON, for the reason that the sentence states.
  case syntax(String)
  /// Too many objects and lists are nested in each other.
  case tooDeep(limit: Int)
  case tooManyValues(limit: Int)
}
