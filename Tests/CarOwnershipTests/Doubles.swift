import ListDiffing
import TerminalScreen

@testable import CarOwnership

/// What a test's double was asked or told, in order.
@MainActor final class Log {
  var lines: [String] = []
  func add(_ line: String) { lines.append(line) }

  /// The lines since the last time.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

struct Refusal: Error, CustomStringConvertible {
  var description: String { "refused" }
}

func text(_ path: ListPath?) -> String { path.map { "\($0)" } ?? "nil" }

/// A data provider that keeps a list of sections, and does what it is asked only in its log.
@MainActor final class DataProviderDouble: OwnershipDataProviderInput {
  let log = Log()
  var sections: [[Ownership]] = []
  var refuses = false
  var undoName: String?

  private func ask(_ line: String) throws {
    log.add(line)
    if refuses { throw Refusal() }
  }

  func reloadData() throws { try ask("reload") }
  func filterData(containing text: String, order: OwnershipOrder) throws {
    try ask("filter \"\(text)\" by \(order)")
  }
  func deleteObject(object: Ownership) throws { try ask("delete \(object.car.model)") }
  func deleteObject(at path: ListPath) throws { try ask("delete at \(path)") }
  func updateObject(at path: ListPath, by data: Ownership, named name: String) throws {
    try ask("update \(path) \(data.owner.name) \(data.car.model) \(data.car.mileage) as \(name)")
  }
  func insertObject(by data: Ownership) throws { try ask("insert \(data.car.model)") }
  func renameOwner(at path: ListPath, to newName: String, named name: String) throws {
    try ask("rename \(path) \(newName) as \(name)")
  }
  func undo() throws -> String? {
    try ask("undo")
    return undoName
  }
  func redo() throws -> String? {
    try ask("redo")
    return undoName
  }
  func pause() { log.add("pause") }
  func resume() { log.add("resume") }

  var objects: [Ownership]? { sections.flatMap { $0 } }
  func object(at path: ListPath) -> Ownership? { sections[path.section][path.row] }
  func objectModelID(at path: ListPath) -> OwnershipModelIDs? {
    object(at: path).map {
      OwnershipModelIDs(owner: $0.owner.id, car: $0.car.id, manufacturer: $0.car.manufacturer.id)
    }
  }
  var sectionIndexTitles: [String] {
    sections.compactMap { $0.first?.owner.name.prefix(1).uppercased() }
  }
  var numberOfSections: Int? { sections.count }
  func section(forSectionIndexTitle title: String, at index: Int) -> Int { index }
  func sectionIndexTitle(forSectionName name: String) -> String? { name.first.map { String($0) } }
  func numberOfRowsInSection(at index: Int) -> Int { sections[index].count }
  func sectionName(at index: Int) -> String? { sections[index].first?.owner.name }
  var committedAt: ContinuousClock.Instant?
}

/// A presenter that keeps what the interactor tells it.
@MainActor final class PresenterDouble: OwnershipPresenterInput {
  let log = Log()

  func interactorDidReloadData(_ interactor: Interactor, source: Source) { log.add("reload") }
  func interactorDidFilterData(_ interactor: Interactor, source: Source) { log.add("filter") }
  func interactorWillChangeContent(_ interactor: Interactor, source: Source) { log.add("will") }
  func interactor(
    _ interactor: Interactor, source: Source, didChange ownership: Ownership?, at path: ListPath?,
    for type: ChangeKind, newPath: ListPath?
  ) {
    log.add("\(type) \(ownership?.car.model ?? "nil") \(text(path)) \(text(newPath))")
  }
  func interactorDidChangeSection(
    _ interactor: Interactor, source: Source, at index: Int?, for type: ChangeKind, newIndex: Int?
  ) { log.add("\(type) section \(index ?? -1) \(newIndex ?? -1)") }
  func interactorDidChangeContent(_ interactor: Interactor, source: Source) { log.add("did") }
  func interactor(_ interactor: Interactor, source: Source, didFinishWith message: String) {
    log.add("message \(message)")
  }
}

/// A view that keeps what the presenter tells it.
@MainActor final class ViewDouble: OwnershipPresenterDelegate {
  let log = Log()

  func presenterDidReloadData(_ source: Source) { log.add("reload") }
  func presenterDidFilterData(_ source: Source) { log.add("filter") }
  func presenterWillChangeContent(_ source: Source) { log.add("will") }
  func presenter(
    _ source: Source, didChange viewModel: OwnershipViewModel?, at path: ListPath?,
    for type: ChangeKind, newPath: ListPath?
  ) { log.add("\(type) \(viewModel?.car.mileage ?? "nil") \(text(path)) \(text(newPath))") }
  func presenterDidChangeSection(
    _ source: Source, at index: Int?, for type: ChangeKind, newIndex: Int?
  ) { log.add("\(type) section \(index ?? -1) \(newIndex ?? -1)") }
  func presenterDidChangeContent(_ source: Source) { log.add("did") }
  func presenter(_ source: Source, didFinishWith message: String) { log.add("message \(message)") }
}

/// An interactor that keeps what the view asks for.
@MainActor final class InteractorDouble: OwnershipInteractorInput {
  let log = Log()
  func reloadData() { log.add("reload") }
  func deleteObject(object: Ownership) { log.add("delete \(object.car.model)") }
  func deleteObject(at path: ListPath) { log.add("delete at \(path)") }
  func updateObject(at path: ListPath, by data: Ownership) { log.add("update \(path)") }
  func insertObject(by data: Ownership) {
    let car = data.car
    log.add("insert \(data.owner.name) \(car.manufacturer.name) \(car.model) \(car.mileage)")
  }
  func renameOwner(at path: ListPath, to name: String) { log.add("rename \(path) \(name)") }
  func filterData(containing text: String) { log.add("filter \(text)") }
  func sortData(by order: OwnershipOrder) { log.add("sort \(order)") }
  func undo() { log.add("undo") }
  func redo() { log.add("redo") }
  func pause() { log.add("pause") }
  func resume() { log.add("resume") }
}

/// A presenter as the view sees it: sections of view models, and a log of the rows that were asked for.
@MainActor final class ViewModelSourceDouble: OwnershipViewModelDataSource {
  let log = Log()
  var sections: [(title: String, rows: [OwnershipViewModel])] = []
  var committedAt: ContinuousClock.Instant?

  func viewModel(at path: ListPath) -> OwnershipViewModel? {
    log.add("\(path)")
    return sections[path.section].rows[path.row]
  }
  func carModelID(at path: ListPath) -> ModelID? { "car \(path)" }
  var sectionIndexTitles: [String] { sections.map { String($0.title.prefix(1)) } }
  var numberOfSections: Int { sections.count }
  func section(forSectionIndexTitle title: String, at index: Int) -> Int { index }
  func numberOfRowsInSection(at index: Int) -> Int { sections[index].rows.count }
  func sectionTitle(at index: Int) -> String { sections[index].title }
}

/// Where a view is shown, and where it leads.
@MainActor final class HostDouble: ScreenHost, OwnershipRouter {
  let log = Log()
  var refuses = false
  private(set) var displays = 0
  func push(_ view: any ScreenView) { log.add("push") }
  func pop() { log.add("pop") }
  func setNeedsDisplay() { displays += 1 }
  func showEditMileage(carModelID: ModelID) throws {
    if refuses { throw Refusal() }
    log.add("mileage of \(carModelID)")
  }
}

/// A display of some size that keeps its rows.
@MainActor final class DisplayDouble: RowDisplay {
  var canvas: Canvas
  private(set) var rows: [StyledRow] = []
  private(set) var written: [Int] = []

  init(columns: Int = 80, rows: Int = 24) {
    canvas = Canvas(size: ScreenSize(columns: columns, rows: rows), isColored: false)
  }

  var size: ScreenSize { canvas.size }
  func show(_ rows: [StyledRow]) -> Int {
    self.rows = rows
    written.append(canvas.update(to: rows).rowsWritten)
    return written.last ?? 0
  }
  var texts: [String] { rows.map(\.text) }
}
