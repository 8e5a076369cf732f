internal import EntityStore

/// Why a line isn't read.
enum JSONSyntaxError: Error {
  /// It is no JSON, for the reason that the sentence says.
  case syntax(String)
  /// Too many objects and lists stand one in the other.
  case tooDeep(limit: Int)
  /// There are too many values.
  case tooManyValues(limit: Int)
}
