internal import EntityStore

/// The key of a file that SQLCipher encrypts.
///
///     let store = try Store(
///       .sqlite(path: path, key: { .bytes(try keyFromKeychain()) }), entities: [Dog.self])
///
/// It needs the package's trait `SQLCipher`. Otherwise a file that is opened with a key isn't
/// opened at all.
public struct EncryptionKey: Sendable, Equatable {
  /// The number of bytes of a key that isn't made from a passphrase.
  public static let byteCount = 32

  enum Form: Equatable {
    case bytes
    case passphrase
  }

  let form: Form
  let value: [UInt8]

  /// Returns a key that is used as it is.
  ///
  /// Pass 32 bytes that were drawn at random. Draw them once, such as with
  /// `SystemRandomNumberGenerator`, and keep them where the system keeps secrets, such as in the
  /// keychain.
  ///
  /// - Parameter bytes: the bytes. If there aren't 32 of them, the file isn't opened.
  /// - Returns: the key.
  public static func bytes(_ bytes: some Sequence<UInt8>) -> EncryptionKey {
    EncryptionKey(form: .bytes, value: Array(bytes))
  }

  /// Returns a key that SQLCipher makes from a passphrase.
  ///
  /// SQLCipher makes it slowly on purpose, so that nobody can try many passphrases. It does so for
  /// each connection that the store opens: tens of milliseconds or more each. A store has a few,
  /// and opens more when several threads read. So prefer ``bytes(_:)`` unless a person types the
  /// passphrase.
  ///
  /// - Parameter text: the passphrase, as UTF-8. If it is empty, the file isn't opened.
  /// - Returns: the key.
  public static func passphrase(_ text: String) -> EncryptionKey {
    EncryptionKey(form: .passphrase, value: Array(text.utf8))
  }

  /// The form in which SQLCipher takes the key.
  var statement: [UInt8] {
    switch form {
    case .passphrase: return value
    case .bytes: return Array("x'\(TextBytes.hexadecimal(value))'".utf8)
    }
  }

  /// The sentence about a key that is none, or nil.
  var problem: String? {
    switch form {
    case .bytes where value.count != Self.byteCount:
      "the key has \(value.count) bytes; give one of \(Self.byteCount)"
    case .passphrase where value.isEmpty: "the passphrase is empty; give one of your user's"
    // SQLCipher would take it for bytes.
    case .passphrase
    where value.starts(with: Array("x'".utf8)) || value.starts(with: Array("X'".utf8)):
      "the passphrase begins with x'; give one that doesn't, or the bytes themselves"
    default: nil
    }
  }
}

extension EncryptionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The form of the key, without its value: `EncryptionKey(bytes)`.
  public var description: String { "EncryptionKey(\(form))" }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// A mirror without children, so that a dump doesn't show the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
