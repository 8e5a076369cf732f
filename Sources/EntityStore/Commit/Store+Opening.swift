extension Store {
  /// A storage that has been opened, and what is known of it by then.
  struct Opened {
    let storage: any Storage
    let version: Int64
    let mark: StorageMark
    /// The storage and its history, if it keeps the commits that can be undone.
    let history: (storage: any HistoryStorage, kept: KeptHistory)?

    /// Opens a storage, and reports that to the hooks.
    init(
      _ kind: StorageKind, _ entities: [EntityDescription], _ hooks: (any StoreHooks)?
    ) throws {
      let opening = hooks.begin(.opening)
      do {
        try self.init(kind, entities)
      } catch {
        opening?.end(nil, error)
        throw error
      }
      opening?.end(version...version)
    }

    private init(_ kind: StorageKind, _ entities: [EntityDescription]) throws {
      let storage = try kind.make()
      self.storage = storage
      version = try storage.open(entities)
      let history = storage as? any HistoryStorage
      self.history = try history.flatMap { history in
        try history.keptHistory().map { (history, $0) }
      }
      mark = try Self.firstMark(of: storage, at: version)
    }

    private static func firstMark(
      of storage: any Storage, at version: Int64
    ) throws -> StorageMark {
      if let storage = storage as? any FileStorage { return storage.firstMark }
      return try storage.read { try $0.externalMark(of: version) } ?? StorageMark()
    }
  }
}
