/// What the command line asks for.
struct Options: Hashable {
  var action = Action.run
  var filter: String?
  var isQuick = false
  var isChecked = false
  var jsonFile: String?
  var svgFolder: String?

  /// What to do: with the benchmarks that match, or with the files of two runs.
  enum Action: Hashable {
    case run, list, help
    case compare(old: String, new: String)
    case profile(title: String)
  }

  static let help = """
    USAGE: benchmarks [--filter TEXT] [--quick] [--check] [--json FILE] [--svg FOLDER] [--list] [--help]
           benchmarks compare OLD NEW
           benchmarks profile TITLE

    Measures Signalbox beside plain alternatives, both sides in turn.

      --filter TEXT  Only benchmarks whose title contains TEXT, in either case
      --quick        Shorter and fewer samples
      --check        Fail if a ratio is over its aim, or what is known, by more than half, also when measured again
      --json FILE    Write the results to FILE
      --svg FOLDER   Write a chart of each group of sizes into FOLDER
      --list         List the titles and run nothing
      --help         Show this text

    Titles read Layer/what/size. The ratio is our median over the baseline's.

    compare reads the JSON files of two runs and says what has become slower or faster beyond the
    noise, each beside its baseline. It fails if anything is slower.

    profile says how many blocks of memory one operation of each side allocates, and how many locks
    it takes. Scripts/profile adds where the instructions are spent.

    """
}
