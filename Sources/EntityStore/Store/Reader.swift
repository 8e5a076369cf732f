internal import Locking

/// A reader of one version of a store, for the duration of a `read`.
///
///     let (cars, count) = try store.read { reader in
///       (try reader.fetch(query), try reader.count(query))
///     }
///
/// - Precondition: a reader is used only inside the body of its `read`.
public struct Reader: ~Copyable, StoreReading {
  final class Session {
    private var storage: (any StorageReader)?
    let store: Store

    init(_ storage: any StorageReader, _ store: Store) {
      self.storage = storage
      self.store = store
    }

    /// The time at which conditions of time are evaluated; the same in the whole read.
    private(set) lazy var instant = store.time.now

    func close() { storage = nil }

    var reader: any StorageReader {
      guard let storage else {
        mistake("A reader is used after its read; do the work inside the read's body")
      }
      return storage
    }
  }

  private let session: Session

  init(_ session: Session) { self.session = session }

  /// The version that is read.
  public var version: Int64 { session.reader.version }

  /// Runs `body` with the storage's reader of the version.
  ///
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws.
  ///
  /// - Precondition: the reader is used only inside `body`.
  @_spi(Storage)
  public func withStorageReader<Result>(_ body: (any StorageReader) throws -> Result) throws
    -> Result
  { try body(session.reader) }

  /// The time at which the reader first evaluated a condition of time.
  @_spi(Storage) public var instant: Double { session.instant }

  /// Returns the entity with a name, or nil if the store doesn't have it.
  @_spi(Storage) public func entity(named name: String) -> EntityDescription? {
    session.store.entity(named: name)
  }
}
