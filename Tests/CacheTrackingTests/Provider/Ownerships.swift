import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport

struct Maker: Entity {
  let id: Int
  var name: String
  var ranking: Int
  static let attributes = Attributes(
    .id(\Maker.id), .attribute("name", \.name), .attribute("ranking", \.ranking, default: 0))
  static let schema = Schema(attributes, Maker.init, rules: [.unique(\.name)])
}

struct Holder: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Holder.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Holder.init, rules: [.unique(\.name)])
}

struct Auto: Entity {
  let id: Int
  var model: String
  var mileage: Int
  /// What nobody sees.
  var note: String
  var holder: Ref<Holder>?
  var maker: Ref<Maker>?
  static let attributes = Attributes(
    .id(\Auto.id), .attribute("model", \.model),
    .attribute("mileage", \.mileage, default: 0), .attribute("note", \.note, default: ""),
    .one("holder", \.holder, inverse: \.autos, onDelete: .nullify),
    .one("maker", \.maker, inverse: \.autos, onDelete: .nullify))
  static let schema = Schema(attributes, Auto.init)
}

extension Holder { var autos: Many<Holder, Auto> { Many(\.holder) } }
extension Maker { var autos: Many<Maker, Auto> { Many(\.maker) } }

/// What the screen shows in a row.
struct Ownership: Hashable, Sendable {
  var id: Int
  var owner: String
  var maker: String
  var model: String
  var mileage: Int

  init(_ id: Int, _ owner: String, _ maker: String, _ model: String, _ mileage: Int = 0) {
    self.id = id
    self.owner = owner
    self.maker = maker
    self.model = model
    self.mileage = mileage
  }
}

/// All that an app brings.
struct OwnershipMapping: DataMapping {
  func object(_ auto: EntityView<Auto>) -> Ownership? {
    guard let owner = auto.holder, let maker = auto.maker else { return nil }
    return Ownership(auto.id, owner.name, maker.name, auto.model, auto.mileage)
  }

  func id(of ownership: Ownership) -> Int { ownership.id }

  func insert(_ ownership: Ownership, into draft: borrowing Draft) throws {
    let (holder, maker) = try parts(ownership, draft)
    try draft.insert(
      Auto(
        id: ownership.id, model: ownership.model, mileage: ownership.mileage, note: "",
        holder: holder, maker: maker))
  }

  func update(_ id: Int, with ownership: Ownership, in draft: borrowing Draft) throws {
    let (holder, maker) = try parts(ownership, draft)
    try draft.update(Auto.self, id) { auto in
      auto.model = ownership.model
      auto.mileage = ownership.mileage
      auto.holder = holder
      auto.maker = maker
    }
  }

  /// The owner and the maker, found by their names or made.
  private func parts(
    _ ownership: Ownership, _ draft: borrowing Draft
  ) throws -> (Ref<Holder>, Ref<Maker>) {
    let holder =
      try draft.find(Holder.self, by: (\.name, ownership.owner))
      ?? Holder(id: try draft.count(Query<Holder>()) + 1, name: ownership.owner)
    let maker =
      try draft.find(Maker.self, by: (\.name, ownership.maker))
      ?? Maker(id: try draft.count(Query<Maker>()) + 1, name: ownership.maker, ranking: 0)
    return (
      Ref(try draft.upsert(holder, by: \.name)), Ref(try draft.upsert(maker, by: \.name))
    )
  }
}

/// Cars with an owner and a maker, by owner and model.
let ownerships = Query<Auto>()
  .filter {
    !$0.holder.isNil
    !$0.maker.isNil
  }
  .sorted { [$0.holder.name.ascending, $0.model.ascending] }
  .sectioned { $0.holder.name }
  .including {
    $0.holder.name
    $0.maker.name
  }

typealias Provider = FetchedDataProvider<OwnershipMapping>
typealias ProviderEvent = FetchedDataEvent<OwnershipMapping>

@Sendable func seedShowroom(_ draft: borrowing Draft) throws {
  let mapping = OwnershipMapping()
  for ownership in [
    Ownership(1, "Ann", "VW", "Golf", 10), Ownership(2, "Ann", "Fiat", "Panda"),
    Ownership(3, "Bob", "VW", "Polo"), Ownership(4, "Cid", "Skoda", "Fabia"),
  ] {
    try mapping.insert(ownership, into: draft)
  }
}

extension TestStorage {
  func makeShowroom(isEmpty: Bool = false) throws -> Store {
    let store = try makeStore([Auto.self, Holder.self, Maker.self])
    if !isEmpty { try store.commit { try seedShowroom($0) } }
    return store
  }
}

func makeProvider(
  _ store: Store, _ query: Query<Auto> = ownerships, delivery: Delivery = .immediate,
  seed: (@Sendable (borrowing Draft) throws -> Void)? = nil
) -> Provider {
  Provider(query, in: store, mapping: OwnershipMapping(), delivery: delivery, seed: seed)
}

typealias OwnershipList = [ListSection<String, Ownership?>]

/// What an interactor would hand on: it keeps a list from events alone.
final class ProviderListener: Sendable {
  private let state = Locked<(list: OwnershipList, events: [ProviderEvent])>(([], []))
  private let token = Locked<SubscriptionToken?>(nil)

  init(_ provider: Provider) {
    let token = provider.events.subscribe { [weak self] in self?.take($0) }
    self.token.withLock { $0 = token }
  }

  private func take(_ event: ProviderEvent) {
    state.withLock { state in
      if event.reason == .reload {
        state.list = event.after.isFlat ? [ListSection(header: "", rows: [])] : []
      }
      event.batch.apply(
        to: &state.list, header: { event.after.sectionName(at: $0) ?? "" }, make: { $0 })
      state.events.append(event)
    }
  }

  var list: OwnershipList { state.withLock { $0.list } }
  var events: [ProviderEvent] { state.withLock { $0.events } }
  var reasons: [ProviderEvent.Reason] { events.map(\.reason) }
}

extension FetchedDataSnapshot {
  var isFlat: Bool { numberOfSections == 1 && sectionName(at: 0) == "" }
}

/// A data source read out row by row, as a view does.
func readOut<Object>(_ source: some FetchedDataSource<Object>) -> [ListSection<String, Object?>] {
  (0..<(source.numberOfSections ?? 0)).map { section in
    ListSection(
      header: source.sectionName(at: section) ?? "",
      rows: (0..<source.numberOfRows(inSection: section)).map {
        source.object(at: ListPath(section: section, row: $0))
      })
  }
}
