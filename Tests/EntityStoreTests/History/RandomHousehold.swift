import EntityStore
import TestSupport

/// Makes random commits to a household, some of which are refused.
struct RandomHousehold {
  var random: SeededGenerator

  init(seed: Int) { random = SeededGenerator(seed: seed) }

  mutating func chance(_ probability: Double) -> Bool { random.chance(probability) }

  mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  /// Makes a commit.
  ///
  /// - Returns: whether it has changed something.
  @discardableResult
  mutating func commit(_ store: Store, named name: String?) -> Bool {
    let before = try? store.version
    do {
      try store.commit(named: name) { draft in
        for _ in 0..<(1 + number(4)) { try write(&draft) }
      }
    } catch {
      // A rule that is broken: what comes next is as random.
    }
    return before != (try? store.version)
  }

  private mutating func write(_ draft: inout Draft) throws {
    let id = number(6)
    let other = number(6)
    switch number(9) {
    case 0: try draft.upsert(Owner(id: id, name: "\(number(9))"))
    case 1: try draft.updateAll(Query<Owner>().filter { $0.id >= other }) { $0.name += "+" }
    case 2: try draft.upsert(Pet(id: id, owner: chance(0.3) ? nil : Ref(other)))
    case 3: try draft.upsert(Passport(id: id, owner: Ref(other)))
    case 4: try draft.upsert(Letter(id: id, receiver: Ref(other)))
    case 5: try draft.upsert(Visa(id: id, passport: chance(0.5) ? nil : Ref(other)))
    case 6: try draft.upsert(License(id: id, owner: Ref(other)))
    case 7:
      try draft.deleteAll(Query<Owner>().filter { $0.id == id })
      try draft.deleteAll(Query<License>().filter { $0.id == other })
    default:
      try draft.deleteAll(Query<Visa>().filter { $0.id <= other })
      try draft.deleteAll(Query<Passport>().filter { $0.id == id })
    }
  }
}
