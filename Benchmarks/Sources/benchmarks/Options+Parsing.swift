extension Options {
  /// Reads the arguments that follow the command's name.
  ///
  /// - Throws: `UsageError` for an unknown option or one that lacks its value.
  init(parsing arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    if rest.first == "compare" {
      let files = Array(rest.dropFirst())
      guard files.count == 2, files.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("-") }) else {
        throw UsageError(reason: "compare takes two files, OLD and NEW")
      }
      action = .compare(old: files[0], new: files[1])
      return
    }
    if rest.first == "profile" {
      let titles = Array(rest.dropFirst())
      guard titles.count == 1, !titles[0].hasPrefix("-") else {
        throw UsageError(reason: "profile takes one TITLE")
      }
      action = .profile(title: titles[0])
      return
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--filter": filter = try Self.value(of: argument, from: &rest)
      case "--json": jsonFile = try Self.value(of: argument, from: &rest)
      case "--svg": svgFolder = try Self.value(of: argument, from: &rest)
      case "--quick": isQuick = true
      case "--check": isChecked = true
      case "--list": action = action == .help ? .help : .list
      case "--help", "-h": action = .help
      case _ where argument.hasPrefix("-"):
        throw UsageError(reason: "unknown option '\(argument)'")
      default:
        throw UsageError(reason: "unexpected argument '\(argument)'")
      }
    }
  }

  private static func value(
    of option: String, from rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
      throw UsageError(reason: "option '\(option)' lacks its value")
    }
    return value
  }
}
