internal import Locking

extension Store {
  /// Runs `body` with a reader that sees one version throughout: the last commit.
  ///
  /// It never waits for a commit, and inside a commit's body it shows the last commit, not the draft.
  ///
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws, or ``StoreError``.
  public func read<Result>(_ body: (borrowing Reader) throws -> Result) throws -> Result {
    try storage.read { storage in
      let session = Reader.Session(storage)
      defer { session.close() }
      return try body(Reader(session))
    }
  }

  /// The version of the last commit.
  public var version: Int64 {
    get throws { try read { $0.version } }
  }

  /// The object with an id, or nil.
  public func find<E: Entity>(_ type: E.Type, _ id: E.ID) throws -> E? {
    try read { try $0.find(type, id) }
  }

  /// The objects of a query.
  public func fetch<E: Entity>(_ query: Query<E>) throws -> [E] {
    try read { try $0.fetch(query) }
  }

  /// How many objects meet a query's condition.
  public func count<E: Entity>(_ query: Query<E>) throws -> Int {
    try read { try $0.count(query) }
  }
}

/// One version of a store, for the time of a `read`.
///
/// - Precondition: a reader is used inside the body of its `read` only.
public struct Reader: ~Copyable {
  final class Session {
    private var storage: (any StorageReader)?

    init(_ storage: any StorageReader) { self.storage = storage }

    func close() { storage = nil }

    var reader: any StorageReader {
      guard let storage else {
        preconditionFailure("A reader is used after its read; do the work inside the read's body")
      }
      return storage
    }
  }

  private let session: Session

  init(_ session: Session) { self.session = session }

  /// The version that is read.
  public var version: Int64 { session.reader.version }

  /// The object with an id, or nil.
  public func find<E: Entity>(_ type: E.Type, _ id: E.ID) throws -> E? {
    try session.reader.row(of: E.schema.entity, id: E.schema.stored(id))?.value(as: E.self)
  }

  /// The objects of a query.
  public func fetch<E: Entity>(_ query: Query<E>) throws -> [E] {
    try session.reader.fetch(FetchPlan(query.description)).map { $0.row.value(as: E.self) }
  }

  /// How many objects meet a query's condition.
  public func count<E: Entity>(_ query: Query<E>) throws -> Int {
    try session.reader.count(E.schema.entity, where: query.description.filter)
  }
}
