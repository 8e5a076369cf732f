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

  private struct Object: Hashable {
    let entity: EntityDescription
    let id: StoredValue
  }

  private var next = 0
  private var byEntity: [EntityDescription: [Int: Entry]] = [:]
  private var byObject: [Object: [Int: Entry]] = [:]
  /// How many entries there are for objects of an entity, so that most commits look up nothing.
  private var objectCounts: [EntityDescription: Int] = [:]

  /// Whether nobody follows anything.
  var isEmpty: Bool { byEntity.values.allSatisfy(\.isEmpty) && byObject.isEmpty }

  mutating func makeEntry(_ observer: any CommitObserver) -> Entry {
    next += 1
    return Entry(observer, sequence: next)
  }

  mutating func follow(_ entities: some Sequence<EntityDescription>, with entry: Entry) {
    for entity in entities { byEntity[entity, default: [:]][entry.sequence] = entry }
  }

  mutating func unfollow(_ entities: some Sequence<EntityDescription>, with entry: Entry) {
    for entity in entities { byEntity[entity]?[entry.sequence] = nil }
  }

  mutating func follow(_ entity: EntityDescription, id: StoredValue, with entry: Entry) {
    let object = Object(entity: entity, id: id)
    if byObject[object, default: [:]].updateValue(entry, forKey: entry.sequence) == nil {
      objectCounts[entity, default: 0] += 1
    }
  }

  mutating func unfollow(_ entity: EntityDescription, id: StoredValue, with entry: Entry) {
    let object = Object(entity: entity, id: id)
    if byObject[object]?.removeValue(forKey: entry.sequence) != nil {
      objectCounts[entity, default: 0] -= 1
      if byObject[object]?.isEmpty == true { byObject[object] = nil }
    }
  }

  /// All, in order of creation.
  func everybody() -> [(sequence: Int, observer: any CommitObserver)] {
    var entries: [Int: Entry] = [:]
    for following in Array(byEntity.values) + Array(byObject.values) {
      entries.merge(following) { first, _ in first }
    }
    return observers(of: entries)
  }

  private func observers(of entries: [Int: Entry]) -> [(
    sequence: Int, observer: any CommitObserver
  )] {
    entries.values.sorted { $0.sequence < $1.sequence }
      .compactMap { entry in entry.observer.map { (entry.sequence, $0) } }
  }

  /// Those that changes may concern, in order of creation.
  func concerned(by changes: NetChanges) -> [(sequence: Int, observer: any CommitObserver)] {
    var entries: [Int: Entry] = [:]
    for (entity, table) in changes.tables {
      if let following = byEntity[entity] { entries.merge(following) { first, _ in first } }
      guard objectCounts[entity, default: 0] > 0 else { continue }
      for id in table.rows.keys {
        if let following = byObject[Object(entity: entity, id: id)] {
          entries.merge(following) { first, _ in first }
        }
      }
    }
    return observers(of: entries)
  }
}
