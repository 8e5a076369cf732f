import ListDiffing
import TerminalScreen

/// The view of the list of ownerships.
///
/// It keeps the page and applies the presenter's changes.
@MainActor final class OwnershipView: ScreenView {
  let interactor: any OwnershipInteractorInput
  let router: any OwnershipRouter
  weak var host: (any ScreenHost)?
  /// The presenter, after its first call.
  weak var source: (any OwnershipViewModelDataSource)?

  var page = OwnershipPage()
  /// The titles of the section index.
  ///
  /// They are read when sections have changed, because all sections are needed to compute them.
  private(set) var indexTitles: [String] = []
  var mode = OwnershipMode.browsing
  var window = ScrollWindow()
  var message = ""
  var filter = ""
  var order = OwnershipOrder.model
  /// The width for which rows have been drawn.
  var drawnColumns = 0
  /// The number of rows for the list on the screen when it was last drawn.
  var height = 1
  var work = OwnershipWork()
  /// True if the next inserted row was typed here and should become visible.
  var choosesInserted = false
  private var batch = OwnershipBatch()

  init(interactor: any OwnershipInteractorInput, router: any OwnershipRouter) {
    self.interactor = interactor
    self.router = router
  }

  // A covered list doesn't receive single changes. It receives the difference when it becomes
  // visible again.

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
    // An inserted or changed row is drawn from the delivered view model. It isn't requested.
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
