internal import SQLiteLibrary
internal import EntityStore

/// A watch that stops the statements of one connection that would never end.
///
/// The pages of a crafted file may lead to the same page many times. SQLite follows them, so a file
/// of a few hundred KB can have more rows than anybody has time for. SQLite calls this watch at
/// intervals while a statement runs. When a statement has taken more steps than a scan of the whole
/// file, the watch checks the file's trees (`TreeCheck`), once for a connection.
///
/// The number of steps of a statement isn't limited. A join or a nested search may need any number,
/// and continues if the trees are sound. The check costs about as much as one scan, and the
/// statement has cost that much by then.
///
/// The pages of a long value may lead to those of another one, too, or to themselves. So the watch
/// counts the bytes of long values. It checks the trees when these are several times those of the
/// file.
final class StepWatch {
  /// The number of steps of a statement after which SQLite calls the watch.
  private static let interval: Int32 = 100_000
  /// The smallest number of calls before anything is checked.
  private static let leastCalls = 5

  /// The calls that one run of a statement has taken.
  private struct Run {
    var number: Int32
    var calls = 0
  }

  /// The smallest number of bytes of a value that is counted.
  static let longValue = 4096

  /// The gate behind which statements end soon, once it is closed.
  var gate: FileGate?

  /// True if the connection has opened the file alone, and looks for a writer after each step.
  var isAlone = false

  /// The file, whose path leads to it even if the working folder has changed since.
  var file: DatabaseFile
  /// The number of bytes of long values that this connection has returned, and the number that is
  /// several times the size of the file.
  @exclusivity(unchecked) private var valueBytes: Int64 = 0
  private var mostValueBytes: Int64 = 16 << 20
  /// The statement that is being stepped.
  ///
  /// It is nil while a statement is prepared. SQLite reads the file's schema for that.
  @exclusivity(unchecked) var stepping: OpaquePointer? { didSet { wasEndedByGate = false } }
  /// True if the gate has ended the last step, or what was prepared last.
  @exclusivity(unchecked) private(set) var wasEndedByGate = false
  private var preparations: Int32 = 0
  private var runs: [OpaquePointer?: Run] = [:]
  /// The number of calls that a statement may have before the trees are checked, once it is known.
  private var mostCalls: Int?
  /// True if the trees have been checked and are sound.
  private(set) var areTreesSound = false
  /// True if this connection checks the trees.
  ///
  /// Its own statements start no further check.
  private let isChecking: Bool
  private(set) var finding: StorageFault?

  init(_ file: DatabaseFile, isChecking: Bool) {
    self.file = file
    self.isChecking = isChecking
  }

  /// Has SQLite call the watch for as long as the watch exists.
  func begin(_ handle: OpaquePointer) {
    sqlite3_progress_handler(
      handle, Self.interval,
      { context in
        guard let context else { return 0 }
        return Unmanaged<StepWatch>.fromOpaque(context).takeUnretainedValue().look() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func notePreparing() {
    stepping = nil
    preparations &+= 1
  }

  /// Counts the bytes of a long value.
  func note(valueOf count: Int) { if !areTreesSound { valueBytes += Int64(count) } }

  /// Throws if the returned values have more bytes than a file with sound trees can have.
  @inline(__always)
  func checkValues() throws { if valueBytes > mostValueBytes { try lookAtValues() } }

  @inline(never)
  private func lookAtValues() throws {
    if areTreesSound || isChecking { return valueBytes = 0 }
    let most = 4 * bytes
    if valueBytes <= most { return mostValueBytes = most }
    if isEndless(), let finding { throw StoreError.storage(finding) }
    valueBytes = 0
  }

  /// Counts a call, and returns true if the statement has to end.
  private func look() -> Bool {
    wasEndedByGate = gate?.isClosedHere ?? false
    if wasEndedByGate { return true }
    if areTreesSound { return false }
    // Checking the trees takes a bounded number of steps once the schema has been read.
    if isChecking && stepping != nil { return false }
    let number = stepping.map { sqlite3_stmt_status($0, SQLITE_STMTSTATUS_RUN, 0) } ?? preparations
    if runs.count > 1000 { runs = [:] }
    var run = runs[stepping] ?? Run(number: number)
    if run.number != number { run = Run(number: number) }
    run.calls += 1
    runs[stepping] = run
    if run.calls < Self.leastCalls { return false }
    // A row has at least six bytes, and takes about a dozen steps.
    let most = mostCalls ?? Self.leastCalls + Int(2 * bytes / Int64(Self.interval))
    mostCalls = most
    if run.calls < most { return false }
    return isEndless()
  }

  /// Returns true if the trees aren't sound.
  ///
  /// Another connection checks them, because this one can't be used at this moment.
  private func isEndless() -> Bool {
    let before = stepping
    defer { stepping = before }
    do {
      if isChecking { throw TreeCheck.fault(file.path) }
      try checkThroughAnother()
    } catch StoreError.storage(let fault) where fault.kind == .corrupt {
      finding = fault
      return true
    } catch StoreError.storage(let fault) where fault.kind == .suspended {
      // The next call ends the statement, too.
    } catch {
      // The answer isn't known at the moment, for example because no more files can be opened.
      mostCalls = mostCalls.map { $0 * 2 }
    }
    return false
  }

  /// Throws if the trees aren't sound.
  ///
  /// It is called before a tree is dropped or emptied. SQLite does that in one step, which nothing
  /// can end. In a crafted file, SQLite may recurse so deeply that the thread's stack overflows.
  func checkTrees() throws {
    if !areTreesSound { try checkThroughAnother() }
  }

  /// Checks the trees through another connection.
  private func checkThroughAnother() throws {
    let connection = try Connection(file, .readOnly, isChecking: true)
    // The check takes as long as a scan. If the store is suspended, it ends, too.
    connection.gate = gate
    try TreeCheck(connection).check()
    areTreesSound = true
  }

  /// The number of bytes of the file and its WAL.
  ///
  /// A file can have holes at no cost; they count for little.
  var bytes: Int64 { signalbox_bytes(file.path) + signalbox_bytes(file.path + "-wal") }
}
