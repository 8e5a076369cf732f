internal import Locking

/// One version of a store, for the time of a `read`.
///
/// - Precondition: a reader is used inside the body of its `read` only.
public struct Reader: ~Copyable, StoreReading {
  final class Session {
    private var storage: (any StorageReader)?
    let store: Store

    init(_ storage: any StorageReader, _ store: Store) {
      self.storage = storage
      self.store = store
    }

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

  /// Runs `body` with a reader of the version.
  ///
  /// - Precondition: the reader is used inside `body` only.
  public func withStorageReader<Result>(_ body: (any StorageReader) throws -> Result) throws
    -> Result
  { try body(session.reader) }

  /// The entity with a name, or nil if it isn't among those of the store.
  public func entity(named name: String) -> EntityDescription? {
    session.store.entity(named: name)
  }
}
