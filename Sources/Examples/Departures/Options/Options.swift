import DeparturesModel
import Foundation

/// The options of the command line.
struct Options: Hashable {
  var grouping = BoardGrouping.status
  /// The folder with the tables, or nil for the day that is bundled with the program.
  var data: URL?
  var day: WantedDay?
  /// The file of the store, or nil for ``defaultStore``.
  var store: URL?
  /// The connection string of the store's PostgreSQL database, or nil for a file.
  var server: String?
  /// True if the board shows what another Departures commits to the same store.
  var isFollowing = false
  var isHeadless = false
  var verifies = false
  /// The number of commits from one verified commit to the next.
  var verifyEvery = 1
  /// True if the whole year is replayed, with all its flights on the board.
  var isYear = false
  /// True if the board's changes are printed, line by line, for another program.
  var isStream = false
  /// The position at which the stream continues.
  var after: StreamPosition?
  /// The number of minutes of board time per second.
  var speed = 5.0
  var startsFresh = false
  var showsHelp = false
}

extension Options {
  /// The file in ``DataFolder`` that keeps the state, unless another one is chosen.
  static func defaultStore(in folder: URL = DataFolder.url(), isYear: Bool = false) -> URL {
    folder.appending(path: "departures\(isYear ? "-year" : "").sqlite")
  }

  static let help = """
    Departures: New York's three airports as a live board, replayed from a day of 2013, or the year.

    USAGE: Departures [options]

      --by status|origin|carrier   what the board's sections are (status)
      --data FOLDER                a folder with airlines.csv, airports.csv, planes.csv and
                                   flights.csv; without it, 8 February 2013 comes with the program
      --day YYYY-MM-DD | MM-DD     the day to replay, if the folder has several
      --year                       the whole year of the folder, with all its flights on the board
      --store FILE | URL           where the state is kept ($XDG_DATA_HOME or ~/.local/share,
                                   signalbox/departures.sqlite or departures-year.sqlite); or a
                                   PostgreSQL database, postgresql://role@host/database
      --follow                     replay nothing: show what another Departures commits to the same
                                   store, a line for each event, until its day is over
      --fresh                      start the day over, though the store is in the middle of it
      --speed N                    minutes of board time in a second (5: a day in four minutes)
      --headless                   run to the end without waiting and print the figures
      --verify                     after every commit recompute the board and compare
      --verify-every N             the same after every Nth commit
      --stream                     print what changes on the board, a line of JSON for each commit;
                                   with --headless without waiting, and in memory without --store
      --after VERSION              the stream goes on after this version, or after a cursor of it
      --help                       this text

    On the board: s other sections, space pause, + and - speed, / search, arrows, Enter the flight,
    i inspector, r and R rename the airline or the aircraft of a row, q quit. NO_COLOR is respected.

    The day ends at 23:59. Stop with Control-C; the next start goes on from there.
    """
}
