internal import Locking
public import Relays

/// A container for all objects of an app, and the one way to change them.
///
///     let store = try Store(.inMemory, entities: [Person.self, Car.self])
///     try store.commit { draft in
///       try draft.insert(Person(id: 1, name: "Ann"))
///     }
///     let people = try store.read { try $0.fetch(Query<Person>()) }
///
/// Every change is a commit. Commits are atomic, happen one after another, and are published in
/// order. A store may be used from any thread.
public final class Store: Sendable {
  private final class Failure: Sendable {
    let error: StoreError

    init(_ error: StoreError) { self.error = error }
  }

  package let storage: any Storage
  package let entities: Set<EntityDescription>
  let entitiesByName: [String: EntityDescription]
  let heldVersions = HeldVersions()
  let historyState: Locked<HistoryState>
  /// The storage, if it keeps the commits that can be undone.
  let historyStorage: (any HistoryStorage)?
  /// A word that is 1 once the history has had a limit above 0; until then, commits leave it alone.
  let hasHistory = AtomicWord(0)
  let validator: CommitValidator
  let lastIDs = Locked(LastIDs())
  /// True if commits note the ids of new objects.
  ///
  /// Only the holder of `writer` accesses it. The compiler doesn't know this lock.
  nonisolated(unsafe) var areNewIDsNoted = false
  /// The failure that left a commit's outcome unknown; nothing can be written until the store is
  /// reopened.
  private let failure = OnceReference<Failure>()

  let writer = WriterLock()
  /// Only the holder of `writer` accesses it.
  nonisolated(unsafe) var running: DraftCore?
  /// The last version that this store knows of.
  ///
  /// Only the holder of `writer` accesses it. The compiler doesn't know this lock. Other code reads
  /// `merged`.
  nonisolated(unsafe) var lastVersion: Int64 {
    didSet { merged.set(lastVersion) }
  }
  /// The mark that distinguishes `lastVersion` from another version with the same number.
  ///
  /// Only the holder of `writer` accesses it.
  nonisolated(unsafe) var lastMark: StorageMark { didSet { seenMark = lastMark } }
  /// The mark that the last version had when it was last looked at.
  ///
  /// Only the holder of `writer` accesses it.
  nonisolated(unsafe) var seenMark = StorageMark()
  /// The last version that this store knows of; any thread may read it.
  let merged: MergedVersion
  let aheadReads = Locked(AheadReads())
  /// The number of commits and merges that have been tried, also in vain.
  nonisolated(unsafe) var attempts = 0

  /// The lock that is held while a commit is published.
  ///
  /// It is held from the moment the commit collects its observers until they have installed it. So
  /// an observer that registers meanwhile reads no earlier version.
  ///
  /// No callback runs under the lock.
  let publishing = PublishingLock()
  let registry = Locked(ObserverRegistry())
  /// The lock that is held while a commit is installed and takes its turns.
  ///
  /// So all delivery contexts see the same order of turns.
  ///
  /// No callback runs under the lock, and nothing is read or written.
  let installing = Locked(())
  let immediate = DeliveryQueue.immediate()
  let immediateContext: DeliveryContext
  /// The delivery contexts that have listeners, by their queues.
  private let contexts = WeakTable<ObjectIdentifier, DeliveryContext>()
  /// The clock of conditions of time.
  package let time: TimeSource
  /// The wakes of observers whose conditions change with time.
  package let schedule: TimeSchedule
  let commitRelay = Relay<Commit>()
  let errorRelay = Relay<any Error>()
  let timesRelay = Relay<Commit.Times>()
  /// The receiver of all operations, or nil.
  let hooks: (any StoreHooks)?
  /// True if there is a receiver; asking `hooks` itself would copy it.
  let hasHooks: Bool
  /// The measurement of the running commit, or nil.
  ///
  /// Only the holder of `writer` accesses it. The compiler doesn't know this lock.
  nonisolated(unsafe) var watch: CommitWatch?
  /// The object that makes the storage watch for external commits.
  let following = Locked<(any AnyObject & Sendable)?>(nil)
  let closing = StoreClosing()
  /// The objects that other layers keep for this store, by type.
  let companions = Locked<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  /// Opens a store of `entities`.
  ///
  /// - Parameters:
  ///   - kind: the place of the objects: memory, a file or a server.
  ///   - entities: the entities.
  ///   - time: the clock by which conditions of time are true.
  ///   - hooks: receives what the store does, and how long it takes.
  /// - Throws: ``StoreError/storage(_:)`` if the storage can't be opened or doesn't fit; the error
  ///   of a migration's body, or that of the closure `key`.
  /// - Precondition: the names of the entities differ, and each entity that one of them refers to
  ///   is among them.
  public init(
    _ kind: StorageKind, entities: [any Entity.Type], time: TimeSource = .system,
    hooks: (any StoreHooks)? = nil
  ) throws {
    self.time = time
    self.hooks = hooks
    hasHooks = hooks != nil
    schedule = TimeSchedule(time)
    immediateContext = DeliveryContext(immediate, commits: commitRelay)
    let descriptions = entities.map { Self.describe($0) }
    self.entities = Set(descriptions)
    Self.check(descriptions)
    entitiesByName = Dictionary(uniqueKeysWithValues: descriptions.map { ($0.name, $0) })
    validator = CommitValidator(descriptions)
    let opened = try Opened(kind, descriptions, hooks)
    storage = opened.storage
    historyState = Locked(HistoryState(opened.history?.kept))
    historyStorage = opened.history?.storage
    if opened.history != nil { hasHistory.store(1) }
    let merged = MergedVersion(opened.version)
    self.merged = merged
    lastVersion = opened.version
    lastMark = opened.mark
    seenMark = opened.mark
    let following = storage.follow(
      { [weak self] version in
        // The store isn't retained for a version that it knows.
        guard version != merged.value, let self else { return false }
        return try await self.mergeWhenFree()
      }, failed: { [weak self] in self?.report($0) })
    self.following.withLock { $0 = following }
    schedule.begin(for: self)
  }

  deinit {
    // The watching ends before the storage is released, because the storage may have to be the last
    // one that has a file open.
    _ = following.withLock { $0.take() }
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

  /// A signal of every commit, once it can be read, on the thread that delivers.
  ///
  /// Each commit is delivered alone, however many are waiting. So a callback that is slower than
  /// the commits uses more and more memory.
  public var commits: Signal<Commit> { commitRelay.signal }

  /// A signal of the errors that prevent the store from reading external commits.
  ///
  /// A storage that watches for external commits reports an error once, until it can read them
  /// again. Meanwhile it tries less and less often. All models and observed objects of the store
  /// publish the same error in their own `errors`. Errors that a call throws aren't published here.
  public var errors: Signal<any Error> { errorRelay.signal }

  /// Returns the delivery context of a queue; for nil, this is the store's own context.
  func context(of queue: DeliveryQueue?) -> DeliveryContext {
    guard let queue, queue !== immediate else { return immediateContext }
    return contexts.object(ObjectIdentifier(queue)) { DeliveryContext(queue) }
  }

  /// Throws if the store is closed, or if an earlier commit's outcome is unknown.
  func checkHealth() throws {
    try checkOpen()
    if let failure = failure.object { throw failure.error }
  }

  func fail(_ error: StoreError) { _ = failure.set(Failure(error)) }
}
