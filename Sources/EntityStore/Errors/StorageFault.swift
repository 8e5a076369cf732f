/// What a storage reports, with what to do.
///
///     do {
///       try store.commit { try $0.insert(car) }
///     } catch StoreError.storage(let fault) where fault.kind == .full {
///       warn("Free some room: \(fault)")
///     }
///
/// The kind is for a program to decide by, the message for a person, and the rest for a report.
public struct StorageFault: Error, Hashable, Sendable {
  /// The kinds of fault that a program may want to tell apart.
  public enum Kind: String, Sendable, Hashable {
    /// No more room, or the file may not grow: free some, or raise the limit, and try again.
    case full
    /// Somebody else is writing: try again.
    case busy
    /// The file or its folder can't be written.
    case readOnly
    /// The file can't be opened: check the path and its rights.
    case cannotOpen
    /// The file is damaged.
    case corrupt
    /// The file isn't a store of this library.
    case foreign
    /// The file was written by a later version of the app or of this library.
    case newer
    /// The file's tables don't fit the schemas.
    case schemaMismatch
    /// A file stands already where a new one is to be made.
    case exists
    /// The app has cancelled a migration; the file is as it was.
    case cancelled
    /// The file, or its log, was deleted or replaced while it was open. Nothing more is read from it
    /// or written to it until it is opened again.
    case replaced
    /// Reading or writing the file failed.
    case inputOutput
    /// Anything else.
    case other
  }

  /// What kind of fault it is.
  public let kind: Kind
  /// What happened, to which file, and what to do.
  public let message: String
  /// The file's path, if the storage has a file.
  public let path: String?
  /// What was being done: "making version 7 durable".
  public let operation: String?
  /// The storage's own result code, if it has one: SQLite's primary one, as 10 for input and output.
  public let code: Int?
  /// The same in more detail: 1034 says that it was a sync which failed.
  public let extendedCode: Int?
  /// The storage's own words, and what the operating system says.
  public let detail: String?

  /// A fault.
  ///
  /// - Parameters:
  ///   - kind: what kind it is.
  ///   - message: what happened, to which file, and what to do.
  ///   - path: the file's path.
  ///   - operation: what was being done, as in "making version 7 durable".
  ///   - code: the storage's own result code.
  ///   - extendedCode: the same in more detail.
  ///   - detail: the storage's own words.
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

extension StorageFault: CustomStringConvertible {
  /// The message and, in parentheses, what was being done and what the storage says.
  ///
  /// What names and texts of a file bring with them is cut, and control characters in it are written out.
  ///
  ///     garage.db: its disk is full; free some room and try again (while writing version 7; code 13:
  ///     database or disk is full)
  public var description: String {
    var report = operation.map { ["while \(Self.words($0))"] } ?? []
    if let code = extendedCode ?? code {
      report.append("code \(code)" + (detail.map { ": \(Self.words($0))" } ?? ""))
    } else if let detail {
      report.append(Self.words(detail))
    }
    // A path has some 4,000 bytes at most.
    let message = message.harmless(atMost: 5 * WordLimit.sentence)
    return report.isEmpty ? message : "\(message) (\(report.joined(separator: "; ")))"
  }

  private static func words(_ text: String) -> String { text.harmless(atMost: WordLimit.sentence) }
}
