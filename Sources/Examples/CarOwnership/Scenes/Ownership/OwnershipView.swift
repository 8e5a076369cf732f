import ListDiffing
import TerminalScreen

/// The list of ownerships on a screen: what it keeps, and what the presenter tells it.
@MainActor final class OwnershipView: ScreenView {
  let interactor: any OwnershipInteractorInput
  let router: any OwnershipRouter
  weak var host: (any ScreenHost)?
  /// The presenter, once it has told something.
  weak var source: (any OwnershipViewModelDataSource)?

  var page = OwnershipPage()
  /// The titles of the index; asked for when sections have changed, since they are gathered from all.
  private(set) var indexTitles: [String] = []
  var mode = OwnershipMode.browsing
  var window = ScrollWindow()
  var message = ""
  var filter = ""
  var order = OwnershipOrder.model
  /// For which width rows have been drawn.
  var drawnColumns = 0
  /// How many rows the list has on the screen, as it was drawn last.
  var height = 1
  var work = OwnershipWork()
  /// Whether the row that comes next is one that was written here, and wants to be seen.
  var choosesInserted = false
  private var batch = OwnershipBatch()

  init(interactor: any OwnershipInteractorInput, router: any OwnershipRouter) {
    self.interactor = interactor
    self.router = router
  }

  // A covered list is not told each change, but the difference when it is seen again.

  private var hasAppeared = false

  func didAppear() {
    if hasAppeared { interactor.resume() } else { interactor.reloadData() }
    hasAppeared = true
  }

  func didDisappear() { interactor.pause() }
}

extension OwnershipView: OwnershipPresenterDelegate {
  func presenterDidReloadData(_ source: Source) {
    self.source = source
    let contents = (0..<source.numberOfSections).map {
      (title: source.sectionTitle(at: $0), count: source.numberOfRowsInSection(at: $0))
    }
    page = OwnershipPage(contents, chosen: page.chosen)
    indexTitles = source.sectionIndexTitles
    host?.setNeedsDisplay()
  }

  func presenterDidFilterData(_ source: Source) {
    message = filter.isEmpty ? "" : "Those with \"\(filter)\". Escape shows all."
    host?.setNeedsDisplay()
  }

  func presenterWillChangeContent(_ source: Source) { batch = OwnershipBatch() }

  func presenter(
    _ source: Source, didChange viewModel: OwnershipViewModel?, at path: ListPath?,
    for type: ChangeKind, newPath: ListPath?
  ) {
    batch.addRow(type, path, newPath)
    // A row that came or changed is drawn from what came with it, not asked for.
    if let viewModel, let newPath { batch.viewModels[newPath] = viewModel }
  }

  func presenterDidChangeSection(
    _ source: Source, at index: Int?, for type: ChangeKind, newIndex: Int?
  ) {
    batch.addSection(type, index, newIndex)
  }

  func presenterDidChangeContent(_ source: Source) {
    let changes = batch.changes
    page.apply(changes) { source.sectionTitle(at: $0) }
    if changes.hasSectionChanges { indexTitles = source.sectionIndexTitles }
    if choosesInserted, let path = changes.inserts.first { page.choose(path) }
    if drawnColumns > 0 {
      for (path, viewModel) in batch.viewModels {
        page.keep(draw(viewModel, columns: drawnColumns), at: path)
      }
    }
    work.begin(touched: batch.touchedRows, committedAt: source.committedAt)
    batch = OwnershipBatch()
    host?.setNeedsDisplay()
  }

  func presenter(_ source: Source, didFinishWith message: String) {
    self.message = message
    host?.setNeedsDisplay()
  }
}
