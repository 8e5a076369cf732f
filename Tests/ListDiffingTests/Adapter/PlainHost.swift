import ListDiffing

/// A host that notes what it is told, and shows rows by carrying out the steps it gets.
@MainActor
final class PlainHost: ListUpdating {
  var listUpdateStyle = ListPresentation.Style.passThenReload
  var isListShown = true
  var shownRowCounts: [Int]?

  /// Whether the host asks for the new data once more.
  var isUpdatingTwice = false

  /// How the host answers: at once, later by hand, twice, or never.
  enum Answering { case atOnce, later, twice, never }
  var answering = Answering.atOnce

  private(set) var calls: [String] = []
  private(set) var drawn: [[Row]] = []
  private(set) var answers: [(Bool) -> Void] = []

  /// What the host reads; without it nothing is drawn.
  var rows: (() -> [[Row]])?

  /// What else happens during a batch, before and after the data change.
  var duringBatch: (() -> Void)?

  func performBatchUpdates(
    _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void
  ) {
    calls.append(animated ? "\(pass)" : "\(pass), at once")
    duringBatch?()
    updateData()
    if isUpdatingTwice { updateData() }
    duringBatch?()
    if let fresh = rows?() {
      for step in pass.steps { carryOut(step, fresh) }
    }
    switch answering {
    case .atOnce: completion(true)
    case .twice:
      completion(true)
      completion(false)
    case .later: answers.append(completion)
    case .never: break
    }
  }

  private func carryOut(_ step: ListPresentation.Step, _ fresh: [[Row]]) {
    switch step {
    case .deleteSection(let section): drawn.remove(at: section)
    case .insertSection(let section): drawn.insert(fresh[section], at: section)
    case .moveSection(let old, let new): drawn.insert(drawn.remove(at: old), at: new)
    case .deleteRow(let path): drawn[path.section].remove(at: path.row)
    case .insertRow(let path):
      drawn[path.section].insert(fresh[path.section][path.row], at: path.row)
    case .moveRow(let old, let new):
      drawn[new.section].insert(drawn[old.section].remove(at: old.row), at: new.row)
    }
  }

  func reloadList(rows paths: [ListPath], headers: [Int], animated: Bool) {
    if let fresh = rows?() {
      for path in paths { drawn[path.section][path.row] = fresh[path.section][path.row] }
    }
    var words = paths.map { "reload \($0)" }
    words += headers.map { "reload header \($0)" }
    if !animated { words.append("at once") }
    calls.append(words.joined(separator: ", "))
  }

  func reloadData() {
    calls.append("reload")
    drawn = rows?() ?? []
  }

  func answer(_ isFinished: Bool) {
    let due = answers
    answers = []
    for answer in due { answer(isFinished) }
  }

  func dropAnswers() { answers = [] }

  func takeCalls() -> [String] {
    defer { calls = [] }
    return calls
  }
}

/// A data source that notes how often it is asked.
@MainActor
final class PlainSource: ListAdapterDataSource {
  var rows: [Row]
  var whenAsked: (() -> Void)?
  private(set) var askedCount = 0

  init(_ ids: [Int]) { rows = ids.map { Row(id: $0) } }

  func sections(for adapter: ListAdapter<NoHeader, Row>) -> [ListSection<NoHeader, Row>] {
    askedCount += 1
    whenAsked?()
    return [ListSection(rows: rows)]
  }
}

/// A flat list with all that belongs to it.
@MainActor
struct PlainList {
  let source: PlainSource
  let host = PlainHost()
  let adapter: ListAdapter<NoHeader, Row>

  /// Shows the given rows, and forgets the calls.
  init(_ ids: [Int], reloadLimit: Int? = nil) {
    source = PlainSource(ids)
    adapter = ListAdapter(host: host, dataSource: source, reloadLimit: reloadLimit)
    host.rows = { [weak adapter] in adapter.map { [$0.rows] } ?? [] }
    adapter.performUpdates()
    adapter.performPendingUpdates()
    _ = host.takeCalls()
  }

  func show(_ ids: [Int]) {
    source.rows = ids.map { Row(id: $0) }
    adapter.performUpdates()
    adapter.performPendingUpdates()
  }
}

/// Lets the main actor get to the job after those that wait already.
@MainActor
func nextTurn() async { await Task { @MainActor in }.value }

/// What has been noted, in order.
@MainActor
final class Notes<Value> {
  private(set) var values: [Value] = []

  func add(_ value: Value) { values.append(value) }
}
