@_spi(Storage) internal import EntityStore

/// The objects whose row number may have been another object's before.
struct Renumbered: Sendable, Equatable {
  var ids: Set<StoredValue> = []
  /// The ids among them whose rows are new ones, of new objects or of rewritten ones.
  var inserted: Set<StoredValue> = []
  var numbers: Set<Int64> = []
  /// The numbers of rows that have left, as far as it isn't known which objects they were.
  ///
  /// Any object may have them since, also one that has never been in the result.
  var freed: Set<Int64> = []
  /// True if any object may be one of them, because the changes aren't known.
  var mayBeAny = false
  /// True if they were too many to collect.
  ///
  /// Then any object may be one of them, and no row is known to have kept its number.
  var areTooMany = false

  /// Returns true if an object may be one of them; its id is made only if there are any.
  func contains(_ id: @autoclosure () -> StoredValue) -> Bool {
    mayBeAny || !ids.isEmpty && ids.contains(id())
  }

  /// Returns true if an object is known to be one of them, or if they were too many to collect.
  func hasCollected(_ id: StoredValue) -> Bool { areTooMany || ids.contains(id) }

  mutating func formUnion(_ other: Renumbered) {
    ids.formUnion(other.ids)
    inserted.formUnion(other.inserted)
    numbers.formUnion(other.numbers)
    freed.formUnion(other.freed)
    mayBeAny = mayBeAny || other.mayBeAny
    areTooMany = areTooMany || other.areTooMany
  }

  func union(_ other: Renumbered) -> Renumbered {
    var union = self
    union.formUnion(other)
    return union
  }

  /// The greatest number of objects that `collect(_:)` collects.
  static let mostCollected = 65_536

  /// Adds the objects of a later commit, as long as they aren't too many.
  ///
  /// It is for objects that are collected until an index can be read, or until a model is resumed.
  /// That may take long, and objects that come and go meanwhile must not fill the memory.
  mutating func collect(_ later: Renumbered) {
    if areTooMany { return }
    formUnion(later)
    if ids.count + numbers.count + freed.count <= Self.mostCollected { return }
    self = Renumbered(mayBeAny: true, areTooMany: true)
  }
}

extension Renumbered {
  init(in commit: Commit, of entity: EntityDescription) {
    if commit.isExternal {
      self.init(elsewhere: commit.isComplete ? commit.changes : nil, of: entity)
    } else {
      self.init(by: commit.changes, of: entity)
    }
  }

  /// Creates the objects that have, or may have, a new number after external changes.
  ///
  /// There are none if the ids are the row numbers. The changes are nil if they aren't known.
  init(elsewhere changes: NetChanges?, of entity: EntityDescription) {
    if entity.isIdentifiedByNumber {
      self.init()
    } else if let changes {
      let rewritten = changes.rewritten[entity] ?? []
      self = Renumbered(by: changes, of: entity)
        .union(Renumbered(ids: rewritten, inserted: rewritten))
    } else {
      self.init(mayBeAny: true)
    }
  }

  private init(by changes: NetChanges, of entity: EntityDescription) {
    self.init()
    for change in changes[entity]?.all ?? [] {
      guard let new = change.new else { continue }
      // A storage may rewrite a row if a unique key of it changes.
      let isSame =
        change.old.map { old in
          entity.uniqueKeys.allSatisfy { old.values(at: $0) == new.values(at: $0) }
        } ?? false
      if !isSame { ids.insert(change.id) }
      if change.old == nil { inserted.insert(change.id) }
    }
  }
}

extension EntityDescription {
  /// True if the ids are the row numbers in storages that others write to.
  var isIdentifiedByNumber: Bool { columns[identity].type == .integer }
}
