/// The stored form of an attribute's value, which SQLite keeps.
///
/// It defines which values are equal, and their order.
///
///     "Ann".storedValue  // .text("Ann")
///     true.storedValue  // .integer(1)
///
/// Values are equal if their stored forms are. Text is stored as given and compared by the bytes of
/// its UTF-8, so two spellings of one character are different (S8). `-0.0` equals `0.0`. NaN can't
/// be stored.
public enum StoredValue: Sendable {
  /// No value.
  case null
  /// A whole number, a Boolean (0 or 1), or any other value that is stored as a whole number.
  case integer(Int64)
  /// A number with a fraction.
  case real(Double)
  /// Text, compared by the bytes of its UTF-8.
  case text(String)
  /// Bytes.
  case bytes([UInt8])
  /// The parts of a composite id.
  indirect case list([StoredValue])
}

extension StoredValue {
  /// True if there is no value.
  @inlinable public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// True if the value, or a part of it, is NaN.
  ///
  /// No stored value is.
  package var isNaN: Bool {
    switch self {
    case .real(let number): number.isNaN
    case .list(let parts): parts.contains(where: \.isNaN)
    default: false
    }
  }

  /// Creates the stored form of a Boolean.
  @inlinable public init(_ truth: Bool) { self = .integer(truth ? 1 : 0) }

  /// True if this is a whole number other than 0, like the stored form of `true`; nil is not (S7).
  @inlinable public var isTrue: Bool {
    if case .integer(let number) = self { number != 0 } else { false }
  }
}

extension StoredValue: Hashable {
  /// Returns true if the stored forms are the same.
  public static func == (a: StoredValue, b: StoredValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.text(let a), .text(let b)): TextBytes.equal(a, b)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    default: false
    }
  }

  /// Hashes the stored form.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .integer(let number): hasher.combine(number)
    case .real(let number): hasher.combine(number == 0 ? 0 : number)
    case .text(let text): TextBytes.hash(text, into: &hasher)
    case .bytes(let bytes): hasher.combine(bytes)
    case .list(let parts): hasher.combine(parts)
    }
  }
}

extension StoredValue: Comparable {
  /// Returns true if `a` comes before `b` in the strict total order of stored forms.
  ///
  /// Nil comes first, then whole numbers, numbers with a fraction, text, bytes and lists.
  public static func < (a: StoredValue, b: StoredValue) -> Bool { a.compare(to: b) < 0 }

  /// Returns a negative number, 0 or a positive one if this is before, equal to or after `other`.
  package func compare(to other: StoredValue) -> Int {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): a < b ? -1 : (a == b ? 0 : 1)
    case (.text(let a), .text(let b)): TextBytes.compare(a, b)
    case (.real(let a), .real(let b)): a < b ? -1 : (a == b ? 0 : 1)
    case (.bytes(let a), .bytes(let b)): TextBytes.compare(a, b)
    case (.list(let a), .list(let b)): Self.compare(a, b)
    default: rank - other.rank
    }
  }

  private static func compare(_ a: [StoredValue], _ b: [StoredValue]) -> Int {
    for (a, b) in zip(a, b) {
      let order = a.compare(to: b)
      if order != 0 { return order }
    }
    return a.count - b.count
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer: 1
    case .real: 2
    case .text: 3
    case .bytes: 4
    case .list: 5
    }
  }
}

extension StoredValue: CustomStringConvertible {
  /// The value in a form for people.
  public var description: String {
    switch self {
    case .null: "nil"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .bytes(let bytes): TextBytes.hexadecimal(bytes)
    case .list(let parts): "(\(parts.map(\.description).joined(separator: ", ")))"
    }
  }
}
