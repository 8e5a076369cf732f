@_spi(Storage) @_spi(Inspection) internal import EntityStore

/// The last commits of a store, and the times that haven't found their commit yet.
///
/// It is a value without locks. Its owner protects it with a lock.
struct CommitRecords: Sendable {
  /// A kept commit, with its rows, which are shared with the store.
  struct Record: Sendable {
    /// The number of the record, which it gets when it is added.
    fileprivate(set) var number = 0
    let time: Duration
    var commit: Commit?
    var times: Commit.Times?
    var costs: [InspectedCost] = []

    /// True if nothing more comes to the record.
    var isComplete: Bool { times != nil || commit?.isExternal == true }
  }

  private(set) var records: [Record] = []
  /// The number of the last record.
  private var last = 0
  /// The number of commits that came while the recording was paused.
  private(set) var missed = 0
  var isPaused = false
  /// The times of commits whose changes haven't been delivered yet.
  private var early: [Int64: Commit.Times] = [:]
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Adds a commit, and returns the records that are released.
  mutating func add(_ commit: Commit, _ costs: [InspectedCost], at time: Duration) -> [Record] {
    let times = early.removeValue(forKey: commit.version)
    if isPaused {
      missed += 1
      return []
    }
    return append(Record(time: time, commit: commit, times: times, costs: costs))
  }

  /// Adds the times of a commit to its record, and returns the records that are released.
  mutating func add(_ times: Commit.Times, at time: Duration) -> [Record] {
    guard let version = times.version else {
      // It failed, or changed nothing: others may have waited for it all the same.
      if !isPaused { return append(Record(time: time, times: times)) }
      missed += 1
      return []
    }
    if let place = records.lastIndex(where: { $0.commit?.version == version }) {
      // It may have been recorded before a pause.
      records[place].times = times
    } else {
      // Its changes are delivered by another thread and come later, or came during a pause.
      if early.count >= 64, let oldest = early.keys.min() { early[oldest] = nil }
      early[version] = times
    }
    return []
  }

  private mutating func append(_ record: Record) -> [Record] {
    last += 1
    records.append(record)
    records[records.count - 1].number = last
    guard records.count > limit else { return [] }
    let old = Array(records.prefix(records.count - limit))
    records.removeFirst(records.count - limit)
    return old
  }
}

extension InspectedCommit {
  init(_ record: CommitRecords.Record, changeLimit: Int) {
    number = record.number
    time = record.time
    version = record.commit?.version
    name = record.commit?.name ?? record.times?.name
    isExternal = record.commit?.isExternal ?? false
    error = record.times?.error
    let times = record.times
    steps = Commit.Step.allCases.compactMap { step in
      times.flatMap { $0[step] > .zero ? ("\(step)", $0[step]) : nil }
    }
    let commit = record.commit
    changeCount = commit?.changes.count ?? 0
    var changes: [InspectedChange] = []
    for table in commit?.changes.tables ?? [] where changes.count < changeLimit {
      for change in table.all.prefix(changeLimit - changes.count) {
        changes.append(InspectedChange(change, of: table.entity, version: commit?.version ?? 0))
      }
    }
    self.changes = changes
    costs = record.costs
  }
}
