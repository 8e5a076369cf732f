/// Who follows which entities and which objects.
struct ObserverRegistry {
  /// One observer's entry.
  ///
  /// It doesn't keep the observer.
  final class Entry: Sendable {
    /// The place in the order of creation.
    let sequence: Int
    weak let observer: (any CommitObserver)?

    init(_ observer: any CommitObserver, sequence: Int) {
      self.observer = observer
      self.sequence = sequence
    }
  }

  /// An observer that is held, and its place in the order of creation.
  struct Concerned: Sendable {
    let sequence: Int
    let observer: any CommitObserver
  }

  /// The entries of one object, of which there is mostly one.
  private struct Followers {
    private var first: Entry?
    private var others: [Int: Entry] = [:]

    var isEmpty: Bool { first == nil && others.isEmpty }

    /// Adds an entry unless it is there, and says whether it wasn't.
    mutating func insert(_ entry: Entry) -> Bool {
      if first === entry { return false }
      if first != nil { return others.updateValue(entry, forKey: entry.sequence) == nil }
      if others[entry.sequence] != nil { return false }
      first = entry
      return true
    }

    /// Takes an entry out, and says whether it was there.
    mutating func remove(_ entry: Entry) -> Bool {
      if first !== entry { return others.removeValue(forKey: entry.sequence) != nil }
      first = nil
      return true
    }

    func append(to entries: inout [Entry]) {
      if let first { entries.append(first) }
      if !others.isEmpty { entries += others.values }
    }
  }

  private struct Object: Hashable {
    let entity: EntityDescription
    let id: StoredValue
  }

  private var next = 0
  /// The observers that only the store keeps.
  private var kept: [Int: any CommitObserver] = [:]
  private var byEntity: [EntityDescription: [Int: Entry]] = [:]
  private var byObject: [Object: Followers] = [:]
  /// Those who follow a guard, by the number of their entry.
  private var guarded: [Int: (entry: Entry, entity: EntityDescription, guards: WatchedPredicate)] =
    [:]
  private var guards: [EntityDescription: [Int: GuardIndex]] = [:]
  /// How many entries there are for objects of an entity, so that most commits look up nothing.
  private var objectCounts: [EntityDescription: Int] = [:]

  /// Whether nobody follows anything.
  var isEmpty: Bool {
    byObject.isEmpty && guarded.isEmpty && byEntity.values.allSatisfy { $0.isEmpty }
  }

  /// The next place in the order of creation.
  mutating func makeSequence() -> Int {
    next += 1
    return next
  }

  mutating func makeEntry(_ observer: any CommitObserver) -> Entry {
    Entry(observer, sequence: makeSequence())
  }

  mutating func follow(_ entities: some Sequence<EntityDescription>, with entry: Entry) {
    for entity in entities { byEntity[entity, default: [:]][entry.sequence] = entry }
  }

  mutating func unfollow(_ entities: some Sequence<EntityDescription>, with entry: Entry) {
    for entity in entities { byEntity[entity]?[entry.sequence] = nil }
  }

  mutating func follow(_ entity: EntityDescription, id: StoredValue, with entry: Entry) {
    let object = Object(entity: entity, id: id)
    if byObject[object, default: Followers()].insert(entry) {
      objectCounts[entity, default: 0] += 1
    }
  }

  mutating func unfollow(_ entity: EntityDescription, id: StoredValue, with entry: Entry) {
    let object = Object(entity: entity, id: id)
    if byObject[object]?.remove(entry) == true {
      objectCounts[entity, default: 0] -= 1
      if byObject[object]?.isEmpty == true { byObject[object] = nil }
    }
  }

  /// Keeps an observer until its entry ends.
  mutating func keep(_ observer: any CommitObserver, for entry: Entry) {
    kept[entry.sequence] = observer
  }

  mutating func letGo(of entry: Entry) -> (any CommitObserver)? {
    kept.removeValue(forKey: entry.sequence)
  }

  /// Follows the objects of `entity` that pass a guard before or after a commit.
  mutating func follow(
    _ entity: EntityDescription, _ watched: WatchedPredicate, with entry: Entry
  ) {
    guarded[entry.sequence] = (entry, entity, watched)
    guards[entity, default: [:]][watched.column, default: GuardIndex()]
      .insert(watched.kind, entry.sequence)
  }

  mutating func unfollowGuard(of entry: Entry) {
    guard let (_, entity, watched) = guarded.removeValue(forKey: entry.sequence) else { return }
    guards[entity]?[watched.column]?.remove(watched.kind, entry.sequence)
    if guards[entity]?[watched.column]?.isEmpty == true {
      guards[entity]?[watched.column] = nil
    }
  }

  /// All, in order of creation.
  func everybody() -> [Concerned] {
    var entries: [Entry] = []
    for following in byEntity.values { entries += following.values }
    for following in byObject.values { following.append(to: &entries) }
    for follower in guarded.values { entries.append(follower.entry) }
    return observers(of: &entries)
  }

  /// The observers of entries of which some may be there several times.
  private func observers(of entries: inout [Entry]) -> [Concerned] {
    if entries.count > 1 { entries.sort { $0.sequence < $1.sequence } }
    var observers: [Concerned] = []
    var last = 0
    for entry in entries where entry.sequence != last {
      last = entry.sequence
      if let observer = entry.observer {
        observers.append(Concerned(sequence: last, observer: observer))
      }
    }
    return observers
  }

  /// Those that changes may concern, in order of creation.
  ///
  /// - Complexity: O(*k* (*g* log *f*) + *m*), where *k* is the number of changed objects, *g* that of
  ///   guarded attributes, *f* that of followers and *m* that of those concerned.
  mutating func concerned(by changes: NetChanges) -> [Concerned] {
    if byObject.isEmpty && guarded.isEmpty && changes.rewritten.isEmpty {
      if byEntity.isEmpty { return [] }
      // Mostly one entity changes, and few follow it.
      if changes.tables.count == 1 {
        guard let following = byEntity[changes.tables[0].entity] else { return [] }
        if following.count <= 1 {
          guard let entry = following.first?.value, let observer = entry.observer else { return [] }
          return [Concerned(sequence: entry.sequence, observer: observer)]
        }
      }
    }
    if isEmpty { return [] }
    var entries: [Entry] = []
    for table in changes.tables {
      let entity = table.entity
      if let following = byEntity[entity] { entries += following.values }
      collectGuarded(entity, table, into: &entries)
      guard objectCounts[entity, default: 0] > 0 else { continue }
      for change in table.all {
        byObject[Object(entity: entity, id: change.id)]?.append(to: &entries)
      }
    }
    // Whether they pass a guard isn't asked: they aren't read, and this is rare.
    for entity in changes.rewritten.keys {
      if let following = byEntity[entity] { entries += following.values }
      for follower in guarded.values where follower.entity == entity {
        entries.append(follower.entry)
      }
    }
    return observers(of: &entries)
  }

  private mutating func collectGuarded(
    _ entity: EntityDescription, _ table: TableChanges, into entries: inout [Entry]
  ) {
    guard let columns = guards[entity]?.keys, !columns.isEmpty else { return }
    for column in Array(columns) {
      for change in table.all {
        let old = change.old?.value(at: column)
        let new = change.new?.value(at: column)
        for value in old == new ? [old] : [old, new] {
          guard let value else { continue }
          guards[entity]?[column]?.forEach(passing: value) {
            if let follower = guarded[$0] { entries.append(follower.entry) }
          }
        }
      }
    }
  }
}
