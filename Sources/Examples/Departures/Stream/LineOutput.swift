import EntityStore
import Foundation
import TerminalScreen

/// Whoever read the output has closed it.
struct ReaderHasGone: Error {}

/// Standard output for lines that another program reads.
struct LineOutput {
  private let descriptor: Int32

  /// - Parameter descriptor: Where to write; a signal for a reader that has gone is ignored from now on, since
  ///   the error says so too.
  init(descriptor: Int32 = STDOUT_FILENO) {
    self.descriptor = descriptor
    signal(SIGPIPE, SIG_IGN)
  }

  /// Writes a line, the whole of it.
  ///
  /// - Throws: ``ReaderHasGone``, or what else the system says.
  func print(_ line: Data) throws {
    var rest = Array(line + [UInt8(ascii: "\n")])[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EPIPE { throw ReaderHasGone() }
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes a line of JSON, in which what isn't harmless stands as an escape.
  ///
  /// - Throws: ``ReaderHasGone``, or what else the system says.
  func print(json line: Data) throws {
    let text = String(decoding: line, as: UTF8.self)
    if text.isHarmless { return try print(line) }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if scalar.isHarmless {
        escaped.unicodeScalars.append(scalar)
      } else {
        // It stands in a text, where JSON takes it so: by its one or two units of UTF-16.
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    try print(Data(escaped.utf8))
  }

  /// Writes a line, with what isn't harmless written out.
  func print(_ line: String) throws { try print(Data(harmlessLine(line).utf8)) }
}
