import ListDiffing

/// The list as lines of text, for pipes and logs.
///
/// It is another view of the same scene.
@MainActor final class OwnershipText: OwnershipPresenterDelegate {
  private let interactor: any OwnershipInteractorInput
  private(set) var lines: [String] = []
  /// The error message, or nil if nothing failed.
  private(set) var failure: String?

  init(interactor: any OwnershipInteractorInput) { self.interactor = interactor }

  /// Fetches the data, which creates the lines.
  func reload() { interactor.reloadData() }

  func presenterDidReloadData(_ source: Source) { write(source) }
  func presenterDidFilterData(_ source: Source) { write(source) }
  func presenterWillChangeContent(_ source: Source) {}
  func presenter(
    _ source: Source, didChange viewModel: OwnershipViewModel?, at path: ListPath?,
    for type: ChangeKind, newPath: ListPath?
  ) {}
  func presenterDidChangeSection(
    _ source: Source, at index: Int?, for type: ChangeKind, newIndex: Int?
  ) {}
  func presenterDidChangeContent(_ source: Source) { write(source) }
  func presenter(_ source: Source, didFinishWith message: String) { failure = message }

  private func write(_ source: Source) {
    lines = (0..<source.numberOfSections).flatMap { section in
      let rows = (0..<source.numberOfRowsInSection(at: section)).map { row in
        let viewModel = source.viewModel(at: ListPath(section: section, row: row))
        return "  " + (viewModel.map(Self.text) ?? "–")
      }
      return ["\(source.sectionTitle(at: section)) (\(rows.count))"] + rows
    }
  }

  private static func text(_ viewModel: OwnershipViewModel) -> String {
    let car = viewModel.car
    return "\(car.manufacturer.name) \(car.model), \(car.mileage)"
  }
}
