/// A decoder that turns the bytes of a terminal into keys.
///
///     var decoder = KeyDecoder()
///     decoder.decode([0x1B, 0x5B, 0x41])  // [.up]
///
/// Bytes may arrive in pieces. A single Escape looks like the beginning of a sequence. So it counts
/// as a key only if nothing has followed for a moment. Then the reader calls ``flush()``.
package struct KeyDecoder {
  /// An incomplete sequence or character.
  private var pending: [UInt8] = []

  package init() {}

  /// True if the next key needs more bytes or a call of ``flush()``.
  package var isWaiting: Bool { !pending.isEmpty }

  /// Returns the keys that these bytes complete.
  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes { take(byte, &keys) }
    return keys
  }

  /// Ends the pending sequence because no bytes follow for now.
  ///
  /// A pending Escape is the Escape key. Any other incomplete sequence is dropped.
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

  /// Handles the first byte of a key.
  private mutating func begin(_ byte: UInt8, _ keys: inout [Key]) {
    switch byte {
    case .escape, 0xC2...0xF4: pending = [byte]
    case 0x09: keys.append(.tab)
    case 0x0A, 0x0D: keys.append(.enter)
    case 0x08, 0x7F: keys.append(.backspace)
    case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
    case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
    default: break  // no key that the programs use, and no text
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
    let text = String(decoding: pending, as: UTF8.self)
    // Decoding replaces bytes that aren't UTF-8. `String(validating:as:)` needs macOS 15.
    let isExact = text.utf8.elementsEqual(pending)
    pending = []
    // Control characters above ASCII aren't keys.
    if isExact, let character = text.first,
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
      // This is Escape, followed by another key within a moment.
      pending = []
      keys.append(.escape)
      begin(byte, &keys)
    case (true, 0x20...0x3F) where pending.count < 32:
      pending.append(byte)
    case (true, UInt8(ascii: "[")) where pending.count == 2 && pending[1] == byte:
      // The Linux console sends two brackets for the first function keys.
      pending.append(byte)
    case (true, 0x40...0x7E):
      let parameters = String(decoding: pending.dropFirst(2), as: UTF8.self)
      pending = []
      if parameters != "[", let key = Self.key(byte, parameters) { keys.append(key) }
    case (true, _):
      pending = []
      begin(byte, &keys)
    }
  }

  /// Returns the key of a sequence, by its last byte.
  ///
  /// Modifiers, as in `1;5A`, are ignored.
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
