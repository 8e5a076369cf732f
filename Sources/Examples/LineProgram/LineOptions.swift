/// The options of a command line, each with a value: `--file path` or `--file=path`.
package struct LineOptions: Hashable {
  /// The values by the names of the options, such as `--file`.
  package private(set) var values: [String: String] = [:]
  package private(set) var showsHelp = false

  /// Parses the arguments after the program's name.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - names: The options that the program has, besides `--help`.
  /// - Throws: An ``InputError`` for an option that isn't one, or that lacks its value.
  package init(_ arguments: [String], names: Set<String>) throws(InputError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--help" || argument == "-h" {
        showsHelp = true
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard names.contains(name) else {
        throw InputError("\"\(argument)\" is no option; --help lists them")
      }
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst(), !value.isEmpty else {
        throw InputError("\(name) needs a value; --help shows how")
      }
      values[name] = value
    }
  }
}
