/// A fault that a storage reports, with advice on what to do.
///
///     do {
///       try store.commit { try $0.insert(car) }
///     } catch StoreError.storage(let fault) where fault.kind == .full {
///       warn("Free some room: \(fault)")
///     }
///
/// Decide by the kind, show the message to a person, and put the rest into a report.
public struct StorageFault: Error, Hashable, Sendable {
  /// The kinds of fault that a program may want to distinguish.
  ///
  ///     if fault.kind == .busy { tryAgain() }
  public enum Kind: String, Sendable, Hashable {
    /// The disk is full, or the file may not grow: free some room or raise the limit, and try
    /// again.
    case full
    /// Another connection or process is writing: try again.
    case busy
    /// The commit met a transaction of another program and was undone: make it again.
    case conflict
    /// The file or its folder can't be written.
    case readOnly
    /// The file can't be opened: check the path and its permissions.
    case cannotOpen
    /// The system lets nobody read or write the file at the moment, as iOS does while the device is
    /// locked: wait until protected data is available, and try again.
    case protected
    /// The file is damaged.
    case corrupt
    /// The file isn't a store of this library.
    case foreign
    /// The file was written by a later version of the app or of this library.
    case newer
    /// The file's tables don't fit the schemas.
    case schemaMismatch
    /// The file is encrypted with another key, isn't encrypted, or the key is none.
    case wrongKey
    /// A file exists already where a new one is to be created.
    case exists
    /// The app has cancelled a migration; the file is unchanged.
    case cancelled
    /// The file, or its WAL, was deleted or replaced while it was open.
    ///
    /// Nothing more is read from it or written to it until it is opened again.
    case replaced
    /// The store is suspended: resume it, and try again.
    case suspended
    /// The store was closed: make another one.
    case closed
    /// Reading or writing the file failed.
    case inputOutput
    /// Anything else.
    case other
  }

  /// The kind of fault.
  public let kind: Kind
  /// A text that states what happened, to which file, and what to do.
  public let message: String
  /// The file's path, if the storage has a file.
  public let path: String?
  /// The operation that was under way: "making version 7 durable".
  public let operation: String?
  /// The storage's own result code, if it has one: for SQLite the primary one, such as 10 for I/O.
  public let code: Int?
  /// A more detailed result code: 1034 means that a sync failed.
  public let extendedCode: Int?
  /// The storage's own message, and that of the operating system.
  public let detail: String?

  /// Creates a fault.
  ///
  /// - Parameters:
  ///   - kind: the kind of fault.
  ///   - message: a text that states what happened, to which file, and what to do.
  ///   - path: the file's path.
  ///   - operation: the operation that was under way, as in "making version 7 durable".
  ///   - code: the storage's own result code.
  ///   - extendedCode: a more detailed result code.
  ///   - detail: the storage's own message.
  public init(
    _ kind: Kind, _ message: String, path: String? = nil, operation: String? = nil,
    code: Int? = nil, extendedCode: Int? = nil, detail: String? = nil
  ) {
    self.kind = kind
    self.message = message
    self.path = path
    self.operation = operation
    self.code = code
    self.extendedCode = extendedCode
    self.detail = detail
  }
}

extension StoreError {
  /// Returns the error of a storage that reports a fault without a code of its own.
  package static func fault(
    _ kind: StorageFault.Kind, _ message: String, path: String? = nil, operation: String? = nil,
    detail: String? = nil
  ) -> StoreError {
    .storage(StorageFault(kind, message, path: path, operation: operation, detail: detail))
  }
}

extension StorageFault: CustomStringConvertible {
  /// The message and, in parentheses, the operation and the storage's code and message.
  ///
  /// Long names and texts of a file are cut, and control characters in them are written as escapes.
  ///
  ///     garage.db: its disk is full; free some room and try again (while writing version 7;
  ///     code 13: database or disk is full)
  public var description: String {
    var report = operation.map { ["while \(Self.words($0))"] } ?? []
    if let code = extendedCode ?? code {
      report.append("code \(code)" + (detail.map { ": \(Self.words($0))" } ?? ""))
    } else if let detail {
      report.append(Self.words(detail))
    }
    // A path has about 4,000 bytes at most.
    let message = message.harmless(atMost: 5 * WordLimit.sentence)
    return report.isEmpty ? message : "\(message) (\(report.joined(separator: "; ")))"
  }

  private static func words(_ text: String) -> String { text.harmless(atMost: WordLimit.sentence) }
}
