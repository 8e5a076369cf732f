import Foundation

/// The options of the command line.
struct Options: Hashable {
  /// The file of the store, or nil for ``defaultStore``.
  var store: URL?
  /// A table of cars to insert first.
  var importedFile: URL?
  var showsHelp = false

  /// Parses the arguments after the program's name.
  ///
  /// `--store FILE` and `--store=FILE` mean the same.
  init(arguments: [String]) throws(InputError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      var inline = parts.count == 2 ? String(parts[1]) : nil

      func file() throws(InputError) -> URL {
        guard let path = inline ?? rest.popFirst(), !path.isEmpty else {
          throw InputError("\(name) needs a file; --help shows how")
        }
        inline = nil
        return URL(filePath: path, directoryHint: .notDirectory)
      }

      switch name {
      case "--store": store = try file()
      case "--import": importedFile = try file()
      case "--help", "-h": showsHelp = true
      default:
        let kind = argument.hasPrefix("-") ? "option" : "argument"
        throw InputError("\"\(argument)\" is not an \(kind) of CarOwnership; --help lists them")
      }
      if let inline { throw InputError("\(name) takes no value, but was given \"\(inline)\"") }
    }
  }

  /// The file `carownership.sqlite` in the user's folder for the data of programs.
  static var defaultStore: URL {
    let environment = ProcessInfo.processInfo.environment["XDG_DATA_HOME"] ?? ""
    // The XDG rules require that a relative path is ignored.
    let base =
      environment.hasPrefix("/")
      ? URL(filePath: environment)
      : FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share")
    return base.appending(path: "signalbox/carownership.sqlite")
  }

  static let help = """
    CarOwnership: whose car is it. A list in sections by owner, in the terminal.

    USAGE: CarOwnership [options]

      --store FILE     where the cars are kept
                       ($XDG_DATA_HOME or ~/.local/share, signalbox/carownership.sqlite)
      --import FILE    insert the cars of a table first: comma-separated values, whose first line names
                       the columns owner, born, manufacturer, model and mileage, in any order;
                       born is a day like 1980-05-04
      --help           this text

    On a terminal ? shows the keys. Elsewhere the list is printed. Two programs may have the same file.
    A new file gets four manufacturers, three people and six cars. NO_COLOR turns the colours off.
    """
}
