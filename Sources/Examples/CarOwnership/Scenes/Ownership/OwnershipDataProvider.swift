import CacheTracking
import ListDiffing
import Signalbox

/// A wrapper around a `FetchedDataProvider`.
///
/// It is the only part of the scene that knows the store.
@MainActor final class OwnershipDataProvider: OwnershipDataProviderInput {
  weak var delegate: (any OwnershipDataProviderDelegate)?

  private let garage: Garage
  private let provider: FetchedDataProvider<OwnershipMapping>
  private var tokens: [SubscriptionToken] = []

  init(garage: Garage) {
    self.garage = garage
    provider = FetchedDataProvider(
      Self.query(containing: "", order: .model), in: garage.store,
      mapping: OwnershipMapping(),
      delivery: .mainActor, seed: Seed.fill)
    tokens = [
      provider.events.subscribe(on: .mainActor) { [weak self] event in
        if let self { event.notify(self) }
      },
      provider.errors.subscribe(on: .mainActor) { [weak self] error in
        if let self { delegate?.provider(self, didFail: error) }
      },
    ]
  }

  // MARK: Requests

  func reloadData() throws { try provider.reloadData() }

  func filterData(containing text: String, order: OwnershipOrder) throws {
    try provider.setQuery(Self.query(containing: text, order: order))
  }

  func deleteObject(object: Ownership) throws {
    try provider.deleteObject(object, named: "delete \(object.car.model)")
  }

  func deleteObject(at path: ListPath) throws {
    if let ownership = object(at: path) { try deleteObject(object: ownership) }
  }

  func updateObject(at path: ListPath, by data: Ownership, named name: String) throws {
    try provider.updateObject(at: path, by: data, named: name)
  }

  func insertObject(by data: Ownership) throws {
    try provider.insertObject(by: data, named: "insert \(data.car.model)")
  }

  func renameOwner(at path: ListPath, to newName: String, named name: String) throws {
    guard let ids = objectModelID(at: path) else { return }
    try garage.store.commit(named: name) { draft in
      try draft.update(Person.self, ids.owner) { $0.name = newName }
    }
  }

  func undo() throws -> String? { try garage.store.undo() }

  func redo() throws -> String? { try garage.store.redo() }

  func pause() { provider.pause() }

  func resume() { provider.resume() }

  // MARK: Data source

  var objects: [Ownership]? { provider.objects }

  func object(at path: ListPath) -> Ownership? { provider.object(at: path) }

  func objectModelID(at path: ListPath) -> OwnershipModelIDs? {
    object(at: path).map {
      OwnershipModelIDs(owner: $0.owner.id, car: $0.car.id, manufacturer: $0.car.manufacturer.id)
    }
  }

  var sectionIndexTitles: [String] { provider.sectionIndexTitles }

  var numberOfSections: Int? { provider.numberOfSections }

  func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    provider.section(forSectionIndexTitle: title, at: index)
  }

  func sectionIndexTitle(forSectionName name: String) -> String? {
    provider.sectionIndexTitle(forSectionName: name)
  }

  func numberOfRowsInSection(at index: Int) -> Int { provider.numberOfRows(inSection: index) }

  func sectionName(at index: Int) -> String? { provider.sectionName(at: index) }

  var committedAt: ContinuousClock.Instant? { garage.committedAt }
}

extension OwnershipDataProvider {
  /// Returns the query for the documents in sections by owner.
  ///
  /// Two owners with the same name have separate sections.
  private static func query(containing text: String, order: OwnershipOrder) -> Query<CarRecord> {
    var query = Query<CarRecord>()
      .filter {
        $0.owner != nil
        $0.manufacturer != nil
      }
      .sectioned(
        by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.name.ascending }
      )
      .including {
        $0.owner
        $0.manufacturer
      }
    if !text.isEmpty {
      query = query.filter {
        $0.model.contains(text, ignoring: [.case, .diacritics])
          || $0.owner.name.contains(text, ignoring: [.case, .diacritics])
          || $0.manufacturer.name.contains(text, ignoring: [.case, .diacritics])
      }
    }
    return switch order {
    case .model: query.sorted { [$0.model.ascending] }
    case .manufacturer: query.sorted { [$0.manufacturer.name.ascending, $0.model.ascending] }
    case .mileage: query.sorted { [$0.mileage.descending, $0.model.ascending] }
    }
  }
}

// The calls for an event. They are passed on without the library's types.
extension OwnershipDataProvider: FetchedDataDelegate {
  typealias Mapping = OwnershipMapping

  func providerDidReloadData(_ source: FetchedDataSnapshot<Mapping>) {
    delegate?.providerDidReloadData(self)
  }

  func providerDidFilterData(_ source: FetchedDataSnapshot<Mapping>) {
    delegate?.providerDidFilterData(self)
  }

  func providerWillChangeContent(_ source: FetchedDataSnapshot<Mapping>) {
    delegate?.providerWillChangeContent(self)
  }

  func provider(
    _ source: FetchedDataSnapshot<Mapping>, didChangeSectionAt position: Int?,
    for kind: ChangeKind, newPosition: Int?
  ) {
    delegate?.providerDidChangeSection(self, at: position, for: kind, newIndex: newPosition)
  }

  func provider(
    _ source: FetchedDataSnapshot<Mapping>, didChange object: Ownership?, at path: ListPath?,
    for kind: ChangeKind, newPath: ListPath?
  ) {
    delegate?.provider(self, didChange: object, at: path, for: kind, newPath: newPath)
  }

  func providerDidChangeContent(_ source: FetchedDataSnapshot<Mapping>) {
    delegate?.providerDidChangeContent(self)
  }
}
