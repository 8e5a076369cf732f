internal import Locking
public import Relays

/// The one place where an app's objects live, and the one way to change them.
///
///     let store = try Store(.inMemory, entities: [Person.self, Car.self])
///     try store.commit { draft in
///       try draft.insert(Person(id: 1, name: "Ann"))
///     }
///     let people = try store.read { try $0.fetch(Query<Person>()) }
///
/// Every change is a commit: atomic, one after another, and published in order. A store may be used
/// from any thread.
public final class Store: Sendable {
  private struct Health {
    /// Set when a commit's outcome is unknown: nothing can be written until the store is reopened.
    var failure: StoreError?
  }

  package let storage: any Storage
  package let entities: Set<EntityDescription>
  let entitiesByName: [String: EntityDescription]
  let heldVersions = HeldVersions()
  let historyState = Locked(HistoryState())
  let validator: CommitValidator
  let lastIDs = Locked(LastIDs())
  /// Whether commits note the ids of new objects.
  ///
  /// Only the holder of `writer` touches it, a lock that the compiler doesn't know.
  nonisolated(unsafe) var areNewIDsNoted = false
  private let health = Locked(Health())

  let writer = WriterLock()
  /// The commit that runs.
  ///
  /// Only the holder of `writer` touches it.
  nonisolated(unsafe) var running: DraftCore?
  /// The last version that this store knows of.
  ///
  /// Only the holder of `writer` touches it, a lock that the compiler doesn't know; others look at `takenIn`.
  nonisolated(unsafe) var lastVersion: Int64 {
    didSet { takenIn.set(lastVersion) }
  }
  /// What tells it from another version of that number; touched by the same.
  nonisolated(unsafe) var lastMark: StorageMark { didSet { seenMark = lastMark } }
  /// The mark that the last version had when it was last looked at; only the holder of `writer` touches it.
  nonisolated(unsafe) var seenMark = StorageMark()
  /// The same, for anybody to look at.
  let takenIn: TakenInVersion
  let aheadReads = Locked(AheadReads())
  /// How many commits have been tried.
  nonisolated(unsafe) var attempts = 0

  /// Held from the moment a commit collects its observers until its version can be read, so that an
  /// observer which registers reads no earlier version than that.
  ///
  /// No callback runs under it.
  let publishing = Locked(())
  let registry = Locked(ObserverRegistry())
  /// Held while a commit is taken in and takes its turns, so that all places see one order of turns.
  ///
  /// No callback runs under it, and nothing is read or written.
  let placing = Locked(())
  let immediate = DeliveryQueue.immediate()
  let immediateContext: DeliveryContext
  private let contexts = Locked(DeliveryContexts())
  let commitRelay = Relay<Commit>()
  let errorRelay = Relay<any Error>()
  /// What has the storage say that others have committed.
  private let following = Locked<(any AnyObject & Sendable)?>(nil)
  /// What other layers keep for this store, by type.
  let companions = Locked<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  /// Opens a store of `entities`.
  ///
  /// - Throws: ``StoreError/storage(_:)`` if the storage can't be opened or doesn't fit.
  /// - Precondition: the names of the entities differ, and each entity that one of them refers to is
  ///   among them.
  public init(_ kind: StorageKind, entities: [any Entity.Type]) throws {
    immediateContext = DeliveryContext(immediate, commits: commitRelay)
    let descriptions = entities.map { Self.describe($0) }
    self.entities = Set(descriptions)
    Self.check(descriptions)
    entitiesByName = Dictionary(uniqueKeysWithValues: descriptions.map { ($0.name, $0) })
    validator = CommitValidator(descriptions)
    storage = try kind.make()
    let version = try storage.open(descriptions)
    let takenIn = TakenInVersion(version)
    self.takenIn = takenIn
    lastVersion = version
    lastMark = try Self.firstMark(of: storage, at: version)
    seenMark = lastMark
    let following = storage.follow(
      { [weak self] version in
        // The store isn't held for what it knows.
        guard version != takenIn.value, let self else { return false }
        return try await self.takeInWhenFree()
      }, failed: { [weak self] in self?.tell($0) })
    self.following.withLock { $0 = following }
  }

  deinit {
    // Before the storage goes, which may have to be the last that has a file open.
    let following = following.withLock { $0.take() }
    _ = following
  }

  private static func firstMark(of storage: any Storage, at version: Int64) throws -> StorageMark {
    if let storage = storage as? any FileStorage { return storage.firstMark }
    return try storage.read { try $0.mark(of: version) } ?? StorageMark()
  }

  private static func describe<E: Entity>(_ type: E.Type) -> EntityDescription { E.schema.entity }

  private static func check(_ entities: [EntityDescription]) {
    var names: Set<String> = []
    for entity in entities {
      mustHold(
        names.insert(entity.name.lowercased()).inserted,
        "Two entities are named \(entity.name); give one another entityName")
    }
    for entity in entities {
      for column in entity.references {
        guard let target = entity.columns[column].reference?.target else { continue }
        mustHold(
          entities.contains(target),
          "\(entity.name) refers to \(target.name); open the store with \(target.name).self too")
      }
      entity.checkPartNames()
      entity.checkOrderOfSamples()
      entity.checkInversesOfSamples()
    }
  }

  /// Every commit, once it can be read, on the thread that delivers.
  ///
  /// Each is told by itself, however many wait: a callback that is slower than others commit takes memory.
  public var commits: Signal<Commit> { commitRelay.signal }

  /// Why commits of others can't be read, since when they can't.
  ///
  /// A storage that watches for them says so once, until it can read them again; meanwhile it tries less and
  /// less often. All models and observed objects of the store have the same error in their own `errors`. What
  /// a call throws isn't among these.
  public var errors: Signal<any Error> { errorRelay.signal }

  /// The delivery context of a queue, with the store's own for nil.
  func context(of queue: DeliveryQueue?) -> DeliveryContext {
    guard let queue, queue !== immediate else { return immediateContext }
    return ReleasePool.open { contexts.withLock { $0.context(of: queue) } }
  }

  /// Throws if an earlier commit's outcome is unknown.
  func checkHealth() throws {
    if let failure = health.withLock({ $0.failure }) { throw failure }
  }

  func fail(_ failure: StoreError) { health.withLock { $0.failure = failure } }
}
