/// Makes keys of the bytes that a terminal sends.
///
///     var decoder = KeyDecoder()
///     decoder.decode([0x1B, 0x5B, 0x41])  // [.up]
///
/// Bytes may come in pieces. Escape alone looks like the beginning of a sequence, so it is a key only
/// once nothing has followed for a moment: then whoever reads calls ``flush()``.
package struct KeyDecoder {
  /// A sequence or character of which more bytes are to come.
  private var pending: [UInt8] = []

  package init() {}

  /// Whether more bytes have to come, or ``flush()`` be called, to know the next key.
  package var isWaiting: Bool { !pending.isEmpty }

  /// The keys that these bytes complete.
  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes { take(byte, &keys) }
    return keys
  }

  /// Nothing more will come for now: a pending Escape is the key, half of anything else is nothing.
  package mutating func flush() -> [Key] {
    defer { pending = [] }
    return pending == [.escape] ? [.escape] : []
  }

  private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
    switch pending.first {
    case nil: begin(byte, &keys)
    case .escape?: takeEscaped(byte, &keys)
    default: takeText(byte, &keys)
    }
  }

  /// The first byte of a key.
  private mutating func begin(_ byte: UInt8, _ keys: inout [Key]) {
    switch byte {
    case .escape, 0xC2...0xF4: pending = [byte]
    case 0x09: keys.append(.tab)
    case 0x0A, 0x0D: keys.append(.enter)
    case 0x08, 0x7F: keys.append(.backspace)
    case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
    case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
    default: break  // no key that a program here knows, or no text
    }
  }

  // MARK: Characters of several bytes

  private mutating func takeText(_ byte: UInt8, _ keys: inout [Key]) {
    guard (0x80...0xBF).contains(byte) else {
      pending = []
      begin(byte, &keys)
      return
    }
    pending.append(byte)
    let length = pending[0] < 0xE0 ? 2 : pending[0] < 0xF0 ? 3 : 4
    guard pending.count == length else { return }
    let text = String(validating: pending, as: UTF8.self)
    pending = []
    // Control characters above ASCII are no keys.
    if let character = text?.first,
      character.unicodeScalars.first?.properties.generalCategory != .control
    {
      keys.append(.character(character))
    }
  }

  // MARK: Sequences

  private mutating func takeEscaped(_ byte: UInt8, _ keys: inout [Key]) {
    let isIntroduced = pending.count > 1
    switch (isIntroduced, byte) {
    case (false, UInt8(ascii: "[")), (false, UInt8(ascii: "O")):
      pending.append(byte)
    case (false, _):
      // Escape, and then another key before a moment had passed.
      pending = []
      keys.append(.escape)
      begin(byte, &keys)
    case (true, 0x20...0x3F) where pending.count < 32:
      pending.append(byte)
    case (true, 0x40...0x7E):
      let parameters = String(decoding: pending.dropFirst(2), as: UTF8.self)
      pending = []
      if let key = Self.key(byte, parameters) { keys.append(key) }
    case (true, _):
      pending = []
      begin(byte, &keys)
    }
  }

  /// The key of a sequence, by its last byte; those held with it, as in `1;5A`, don't matter.
  private static func key(_ last: UInt8, _ parameters: String) -> Key? {
    switch Character(Unicode.Scalar(last)) {
    case "A": return .up
    case "B": return .down
    case "C": return .right
    case "D": return .left
    case "H": return .home
    case "F": return .end
    case "M": return .enter  // of the keypad
    case "Z": return .backTab
    case "~":
      return switch parameters.prefix(while: { $0 != ";" }) {
      case "1", "7": .home
      case "4", "8": .end
      case "3": .delete
      case "5": .pageUp
      case "6": .pageDown
      default: nil
      }
    default: return nil
    }
  }
}

extension UInt8 {
  fileprivate static let escape: UInt8 = 0x1B
}
