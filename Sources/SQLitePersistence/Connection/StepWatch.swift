internal import CSQLite
internal import EntityStore

/// Stops a statement of one connection that would go on without end.
///
/// The pages of a crafted file may lead to the same page many times. SQLite takes that for what it says, so a few
/// hundred KB have more rows than anybody has time for. SQLite calls this now and then while a statement runs, and
/// where a statement has taken more steps than a scan of the whole file, the file's trees are looked at
/// (`TreeCheck`), once for a connection.
///
/// How many steps a statement may take is no limit: a join or a search within a search may need any number, and goes
/// on where the trees are sound. Looking costs about what one scan does, and the statement has cost as much by then.
///
/// The pages of one long value may lead to those of another one, too, or to themselves. So the bytes of long values
/// are counted, and the trees are looked at where these are several times those of the file.
final class StepWatch {
  /// After how many steps of a statement SQLite calls.
  private static let interval: Int32 = 100_000
  /// How many calls there are at least before anything is looked at.
  private static let leastCalls = 5

  /// What the statement that was seen with some run of it has taken.
  private struct Run {
    var number: Int32
    var calls = 0
  }

  /// How many bytes a value has at least for it to be counted.
  static let longValue = 4096

  /// Where the file is, whatever the working folder is by then.
  var path: String
  private let vfs: String?
  /// How many bytes of long values this connection has handed out, and how many are several times the file.
  @exclusivity(unchecked) private var valueBytes = 0
  private var mostValueBytes = 16 << 20
  /// The statement that is stepped just now; nil while one is prepared, for which SQLite reads the file's schema.
  @exclusivity(unchecked) var stepping: OpaquePointer?
  /// How many statements have been prepared.
  private var preparations: Int32 = 0
  private var runs: [OpaquePointer?: Run] = [:]
  /// How many calls a statement may have before the trees are looked at, once that is known.
  private var mostCalls: Int?
  /// Whether they have been looked at, and nothing is wrong.
  private(set) var areTreesSound = false
  /// Whether this connection is the one that looks at the trees: then nobody looks once more.
  private let isChecking: Bool
  /// What is wrong with the file.
  private(set) var finding: StorageFault?

  init(path: String, vfs: String?, isChecking: Bool) {
    self.path = path
    self.vfs = vfs
    self.isChecking = isChecking
  }

  /// Has SQLite call, for as long as this is there.
  func begin(_ handle: OpaquePointer) {
    sqlite3_progress_handler(
      handle, Self.interval,
      { context in
        guard let context else { return 0 }
        return Unmanaged<StepWatch>.fromOpaque(context).takeUnretainedValue().look() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Notes that a statement is about to be prepared.
  func notePreparing() {
    stepping = nil
    preparations &+= 1
  }

  /// Counts the bytes of a long value.
  func note(valueOf count: Int) { if !areTreesSound { valueBytes += count } }

  /// Throws if what has been handed out is more than a file can have whose trees are sound.
  @inline(__always)
  func checkValues() throws { if valueBytes > mostValueBytes { try lookAtValues() } }

  @inline(never)
  private func lookAtValues() throws {
    if areTreesSound || isChecking { return valueBytes = 0 }
    let most = Int(clamping: 4 * bytes)
    if valueBytes <= most { return mostValueBytes = most }
    if isEndless(), let finding { throw StoreError.storage(finding) }
    valueBytes = 0
  }

  /// Counts a call, and gives whether the statement is to end.
  private func look() -> Bool {
    if areTreesSound { return false }
    // The trees are looked at in a bounded number of steps, once the schema has been read.
    if isChecking && stepping != nil { return false }
    let number = stepping.map { sqlite3_stmt_status($0, SQLITE_STMTSTATUS_RUN, 0) } ?? preparations
    if runs.count > 1000 { runs = [:] }
    var run = runs[stepping] ?? Run(number: number)
    if run.number != number { run = Run(number: number) }
    run.calls += 1
    runs[stepping] = run
    if run.calls < Self.leastCalls { return false }
    // A row has six bytes at least, and takes a dozen steps or so.
    let most = mostCalls ?? Self.leastCalls + Int(2 * bytes / Int64(Self.interval))
    mostCalls = most
    if run.calls < most { return false }
    return isEndless()
  }

  /// Looks at the trees through another connection: this one may not be used now.
  private func isEndless() -> Bool {
    let before = stepping
    defer { stepping = before }
    do {
      if isChecking { throw TreeCheck.fault(path) }
      try TreeCheck(Connection(path: path, .readOnly, vfs: vfs, isChecking: true)).check()
      areTreesSound = true
    } catch StoreError.storage(let fault) where fault.kind == .corrupt {
      finding = fault
      return true
    } catch {
      // Nobody can say at the moment, such as where no more files can be opened.
      mostCalls = mostCalls.map { $0 * 2 }
    }
    return false
  }

  /// Throws unless the trees are sound.
  ///
  /// Before a tree is dropped or emptied: SQLite does that in one step, which nothing ends, and goes as deep as the
  /// pages of a crafted file lead, to the end of the thread's stack.
  func checkTrees() throws {
    if areTreesSound { return }
    try TreeCheck(Connection(path: path, .readOnly, vfs: vfs, isChecking: true)).check()
    areTreesSound = true
  }

  /// How many bytes the file and its log have; holes, which a file may have at no cost, count for little.
  var bytes: Int64 { signalbox_bytes(path) + signalbox_bytes(path + "-wal") }
}
