/// What has become slower or faster between two runs, each read from its JSON file.
///
/// Both runs may be of different days and machines: a cost is compared with its baseline's, which was
/// measured beside it in the same run.
struct RunDifference {
  /// The benchmarks that are in both runs, in the order of the new one.
  let changes: [RecordChange]

  /// The titles that only the new run has.
  let added: [String]

  /// The titles that only the old run has.
  let removed: [String]

  /// The difference between two runs.
  init(from old: [Report.Record], to new: [Report.Record]) {
    let before = Dictionary(old.map { ($0.title, $0) }, uniquingKeysWith: { first, _ in first })
    let titles = Set(new.map(\.title))
    changes = new.compactMap { record in
      before[record.title].map { RecordChange(old: $0, new: record) }
    }
    added = new.map(\.title).filter { before[$0] == nil }
    removed = old.map(\.title).filter { !titles.contains($0) }
  }

  /// The changes with a verdict, the largest first.
  func changes(_ verdict: RecordChange.Verdict) -> [RecordChange] {
    changes.filter { $0.verdict == verdict }.sorted { $0.size > $1.size }
  }

  /// Whether anything has become slower beyond the noise.
  var isSlower: Bool { changes.contains { $0.verdict == .slower } }
}
