/// What the command line asks for.
struct Options: Hashable {
  var action = Action.run
  var filter: String?
  var isQuick = false
  var jsonFile: String?
  var svgFolder: String?

  /// What to do with the benchmarks that match.
  enum Action: Hashable {
    case run, list, help
  }

  static let help = """
    USAGE: benchmarks [--filter TEXT] [--quick] [--json FILE] [--svg FOLDER] [--list] [--help]

    Measures Signalbox beside plain alternatives, both sides in turn.

      --filter TEXT  Only benchmarks whose title contains TEXT, in either case
      --quick        Shorter and fewer samples
      --json FILE    Write the results to FILE
      --svg FOLDER   Write a chart of each group of sizes into FOLDER
      --list         List the titles and run nothing
      --help         Show this text

    Titles read Layer/what/size. The ratio is our median over the baseline's.

    """
}
