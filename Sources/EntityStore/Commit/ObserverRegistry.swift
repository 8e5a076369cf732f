/// The registry of the observers that follow entities and objects.
struct ObserverRegistry {
  /// One observer's entry.
  ///
  /// It doesn't keep the observer alive.
  final class Entry: Sendable {
    /// The position in the order of creation.
    let sequence: Int
    weak let observer: (any CommitObserver)?

    init(_ observer: any CommitObserver, sequence: Int) {
      self.observer = observer
      self.sequence = sequence
    }
  }

  /// An observer that is kept alive, and its position in the order of creation.
  struct HeldObserver: Sendable {
    let sequence: Int
    let observer: any CommitObserver
  }

  /// The entries of one object; usually there is one.
  private struct Followers {
    private var first: Entry?
    private var others: [Int: Entry] = [:]

    var isEmpty: Bool { first == nil && others.isEmpty }

    /// Adds an entry, and returns false if it was added before.
    mutating func insert(_ entry: Entry) -> Bool {
      if first === entry { return false }
      if first != nil { return others.updateValue(entry, forKey: entry.sequence) == nil }
      if others[entry.sequence] != nil { return false }
      first = entry
      return true
    }

    /// Removes an entry, and returns false if there was none.
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

  /// A predicate that is followed, and the entry that follows it.
  private struct FollowedPredicate {
    let entry: Entry
    let entity: EntityDescription
    let predicate: WatchedPredicate
  }

  struct Object: Hashable {
    let entity: EntityDescription
    let id: StoredValue
  }

  private var next = 0
  /// The observers that only the store keeps alive.
  private var kept: [Int: any CommitObserver] = [:]
  private var byEntity: [EntityDescription: [Int: Entry]] = [:]
  private var byObject: [Object: Followers] = [:]
  /// The predicates that are followed, by a number of their own.
  private var predicates: [Int: FollowedPredicate] = [:]
  /// The numbers of the predicates, by the column of the attribute that they test.
  private var predicateIndexes: [EntityDescription: [Int: PredicateIndex]] = [:]
  /// The number of entries for objects of an entity, so that most commits look up nothing.
  private var objectCounts: [EntityDescription: Int] = [:]

  /// True if nothing is followed.
  var isEmpty: Bool {
    byObject.isEmpty && predicates.isEmpty && byEntity.values.allSatisfy { $0.isEmpty }
  }

  /// Returns the next position in the order of creation.
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
    // No object has this id, and it would never be found again.
    if id.isNaN { return }
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

  /// Keeps an observer alive until its entry ends.
  mutating func keep(_ observer: any CommitObserver, for entry: Entry) {
    kept[entry.sequence] = observer
  }

  mutating func letGo(of entry: Entry) -> (any CommitObserver)? {
    kept.removeValue(forKey: entry.sequence)
  }

  /// Follows the objects of `entity` that meet a predicate before or after a commit.
  ///
  /// - Returns: the number of the predicate, by which it is removed.
  mutating func follow(
    _ entity: EntityDescription, _ predicate: WatchedPredicate, with entry: Entry
  ) -> Int {
    let number = makeSequence()
    predicates[number] = FollowedPredicate(entry: entry, entity: entity, predicate: predicate)
    predicateIndexes[entity, default: [:]][predicate.column, default: PredicateIndex()]
      .insert(predicate.kind, number)
    return number
  }

  mutating func unfollow(predicate number: Int) {
    guard let followed = predicates.removeValue(forKey: number) else { return }
    let (entity, column) = (followed.entity, followed.predicate.column)
    predicateIndexes[entity]?[column]?.remove(followed.predicate.kind, number)
    if predicateIndexes[entity]?[column]?.isEmpty == true {
      predicateIndexes[entity]?[column] = nil
    }
  }

  /// Returns all observers, in order of creation.
  func everybody() -> [HeldObserver] {
    var entries: [Entry] = []
    for following in byEntity.values { entries += following.values }
    for following in byObject.values { following.append(to: &entries) }
    for followed in predicates.values { entries.append(followed.entry) }
    return held(&entries)
  }

  /// Returns the observers of entries, each once; an entry may occur several times.
  private func held(_ entries: inout [Entry]) -> [HeldObserver] {
    if entries.count > 1 { entries.sort { $0.sequence < $1.sequence } }
    var observers: [HeldObserver] = []
    var last = 0
    for entry in entries where entry.sequence != last {
      last = entry.sequence
      if let observer = entry.observer {
        observers.append(HeldObserver(sequence: last, observer: observer))
      }
    }
    return observers
  }

  /// Returns the observers that changes may concern, in order of creation.
  ///
  /// - Complexity: O(*k* (*g* log *f*) + *m*), where *k* is the number of changed objects, *g* that
  ///   of watched attributes, *f* that of followers and *m* that of concerned observers.
  mutating func observers(of changes: NetChanges) -> [HeldObserver] {
    if byObject.isEmpty && predicates.isEmpty && changes.rewritten.isEmpty {
      if byEntity.isEmpty { return [] }
      // Usually one entity changes, and few observers follow it.
      if changes.tables.count == 1 {
        guard let following = byEntity[changes.tables[0].entity] else { return [] }
        if following.count <= 1 {
          guard let entry = following.first?.value, let observer = entry.observer else { return [] }
          return [HeldObserver(sequence: entry.sequence, observer: observer)]
        }
      }
    }
    if isEmpty { return [] }
    var entries: [Entry] = []
    for table in changes.tables {
      let entity = table.entity
      if let following = byEntity[entity] { entries += following.values }
      collectByPredicate(entity, table, into: &entries)
      guard objectCounts[entity, default: 0] > 0 else { continue }
      for change in table.all {
        byObject[Object(entity: entity, id: change.id)]?.append(to: &entries)
      }
    }
    // The predicates aren't checked here: the objects haven't been read, and this is rare.
    for entity in changes.rewritten.keys {
      if let following = byEntity[entity] { entries += following.values }
      for followed in predicates.values where followed.entity == entity {
        entries.append(followed.entry)
      }
    }
    return held(&entries)
  }

  /// Adds the entries whose predicates an old or a new value of the changed objects meets.
  private mutating func collectByPredicate(
    _ entity: EntityDescription, _ table: TableChanges, into entries: inout [Entry]
  ) {
    guard let columns = predicateIndexes[entity]?.keys, !columns.isEmpty else { return }
    // Of many changes, several often have the same value, and pass the same predicates.
    let areMany = table.count > 8
    var passed: Set<Int> = []
    for column in Array(columns) {
      var tested: Set<StoredValue> = []
      func test(_ value: StoredValue) {
        if areMany && !tested.insert(value).inserted { return }
        predicateIndexes[entity]?[column]?.forEach(passing: value) { number in
          if areMany && !passed.insert(number).inserted { return }
          if let followed = predicates[number] { entries.append(followed.entry) }
        }
      }
      for change in table.all {
        let old = change.old?.value(at: column)
        let new = change.new?.value(at: column)
        if let old { test(old) }
        if let new, new != old { test(new) }
      }
    }
  }
}
