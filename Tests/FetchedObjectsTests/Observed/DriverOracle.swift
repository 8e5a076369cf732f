import EntityStore
import FetchedObjects
import ListFixtures
import Relays
import TestSupport
import Testing

/// What an observed driver shows, as text.
struct ShownDriver: Equatable {
  var state = ObservedEntityState.absent
  var parts: [String]?

  init(state: ObservedEntityState, parts: [String]?) {
    self.state = state
    self.parts = parts?.map(\.escaped)
  }
}

extension String {
  /// The text with every scalar that isn't ASCII by its number, since Swift's == isn't ours (S8).
  fileprivate var escaped: String {
    unicodeScalars.map { $0.isASCII ? String($0) : "<\($0.value)>" }.joined()
  }
}

/// What is included with a driver.
enum DriverPaths: CaseIterable {
  case none, firm, town, chief

  func inclusion(_ row: Row<Driver, Driver>) -> Inclusion<Driver> {
    switch self {
    case .none: Inclusion<Driver>()
    case .firm: Inclusion<Driver>.lines { row.firm.name }
    case .town:
      Inclusion<Driver>.lines {
        row.firm.rank
        row.firm.town.name
      }
    case .chief:
      Inclusion<Driver>.lines {
        row.chief.firm
        row.chief.chief.name
      }
    }
  }

  /// What the included paths give, read from the store by hand.
  func parts(of id: Int, in store: Store) throws -> [String]? {
    try store.read { reader in
      guard let driver = try reader.find(Driver.self, id) else { return nil }
      let firm = try driver.firm.flatMap { try reader.find($0) }
      let town = try firm?.town.flatMap { try reader.find($0) }
      let chief = try driver.chief.flatMap { try reader.find($0) }
      let chiefFirm = try chief?.firm.flatMap { try reader.find($0) }
      let second = try chief?.chief.flatMap { try reader.find($0) }
      let own = ["\(driver)"]
      switch self {
      case .none: return own
      case .firm: return own + ["\(firm?.id, default: "-")", firm?.name ?? "-"]
      case .town:
        return own + [
          "\(firm?.id, default: "-") \(firm?.rank, default: "-")", "\(town?.id, default: "-")",
          town?.name ?? "-",
        ]
      case .chief:
        return own + [
          "\(chief?.id, default: "-")", chiefFirm.map { "\($0)" } ?? "-",
          "\(second?.id, default: "-")", second?.name ?? "-",
        ]
      }
    }
  }

  /// The same, read through the view.
  func parts(of view: EntityView<Driver>) -> [String] {
    let own = ["\(view.value)"]
    switch self {
    case .none: return own
    case .firm: return own + ["\(view.firm?.id, default: "-")", view.firm?.name ?? "-"]
    case .town:
      return own + [
        "\(view.firm?.id, default: "-") \(view.firm?.rank, default: "-")",
        "\(view.firm?.town?.id, default: "-")", view.firm?.town?.name ?? "-",
      ]
    case .chief:
      return own + [
        "\(view.chief?.id, default: "-")", view.chief?.firm.map { "\($0.value)" } ?? "-",
        "\(view.chief?.chief?.id, default: "-")", view.chief?.chief?.name ?? "-",
      ]
    }
  }
}

extension Inclusion {
  fileprivate static func lines(@Inclusion<Root>.Builder _ lines: () -> Inclusion) -> Inclusion {
    lines()
  }
}

/// An observed driver, and what it must show and tell.
///
/// One thread at a time uses it.
final class FollowedDriver: @unchecked Sendable {
  let id: Int
  let paths: DriverPaths
  let policy: DeliveryPolicy
  let isOnMain: Bool
  let driver: ObservedEntity<Driver>
  private let events: Recorder<ObservedEntity<Driver>.Event>
  private let names: [Recorder<ValueChange<String>>]
  private var shown: ShownDriver
  private var pending: [ShownDriver] = []
  private var told = 0
  private(set) var isPaused = false

  init(_ id: Int, _ paths: DriverPaths, _ policy: DeliveryPolicy, isOnMain: Bool, in store: Store)
    throws
  {
    self.id = id
    self.paths = paths
    self.policy = policy
    self.isOnMain = isOnMain
    driver = try ObservedEntity(
      awaiting: id, in: store, delivery: isOnMain ? .mainActor : .immediate, policy: policy,
      including: paths.inclusion)
    events = Recorder(driver.didChange)
    names = [Recorder(driver.changes(of: \.name)), Recorder(driver.changes { $0.name })]
    let parts = try paths.parts(of: id, in: store)
    shown = ShownDriver(state: parts == nil ? .absent : .live, parts: parts)
  }

  /// Takes in what the store says after a commit.
  func note(_ store: Store) throws {
    let last = pending.last ?? shown
    let parts = try paths.parts(of: id, in: store)
    let next =
      if let parts {
        ShownDriver(state: .live, parts: parts)
      } else {
        ShownDriver(state: last.parts == nil ? .absent : .deleted, parts: last.parts)
      }
    if next != last { pending.append(next) }
  }

  func pause() {
    isPaused = true
    driver.pause()
  }

  /// - Returns: the states before and after each event that was told.
  func resume() -> [String] {
    isPaused = false
    driver.resume()
    return check(merging: true)
  }

  /// Checks what is shown and what was told, when everything has been delivered.
  @discardableResult func check(merging: Bool = false) -> [String] {
    var expected: [ShownDriver] = []
    if !isPaused {
      // What is delivered at once never waits.
      expected = policy == .coalesced && isOnMain || merging ? pending.suffix(1) : pending
      pending = []
    }
    var kinds: [String] = []
    var changed: [String] = []
    let new = events.values.dropFirst(told)
    told = events.values.count
    var index = new.startIndex
    for next in expected where next != shown {
      guard index < new.endIndex else {
        Issue.record("No event tells of \(next) after \(shown)")
        break
      }
      let event = new[index]
      let before = ShownDriver(state: event.stateBefore, parts: event.before.map(paths.parts))
      let after = ShownDriver(state: event.state, parts: paths.parts(of: event.after))
      if before != shown { Issue.record("\(before) instead of \(shown)") }
      if after != next { Issue.record("\(after) instead of \(next)") }
      let name = event.after.name.escaped
      if event.before?.name.escaped != name { changed.append(name) }
      kinds.append("\(event.stateBefore) → \(event.state)")
      shown = next
      index += 1
    }
    if index != new.endIndex { Issue.record("\(new.endIndex - index) events too many") }
    let now = ShownDriver(state: driver.state, parts: driver.viewIfKnown.map(paths.parts))
    if now != shown { Issue.record("It shows \(now) instead of \(shown)") }
    checkedNames += changed
    for recorder in names where recorder.values.map(\.new.escaped) != checkedNames {
      Issue.record("Names \(recorder.values)")
    }
    return kinds
  }

  private var checkedNames: [String] = []
}
