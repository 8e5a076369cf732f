import EntityStore
import Foundation
import TerminalScreen

/// An error that reports that the reader of the output has closed it.
struct ReaderHasGone: Error {}

/// Standard output for lines that another program reads.
struct LineOutput {
  private let descriptor: Int32

  /// Creates an output.
  ///
  /// - Parameter descriptor: The file descriptor to write to. From now on, the signal for a closed
  ///   reader is ignored, because the error reports it, too.
  init(descriptor: Int32 = STDOUT_FILENO) {
    self.descriptor = descriptor
    signal(SIGPIPE, SIG_IGN)
  }

  /// Writes a whole line.
  ///
  /// - Throws: ``ReaderHasGone``, or another error of the system.
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

  /// Writes a line of JSON.
  ///
  /// Characters that aren't harmless are written as escapes.
  ///
  /// - Throws: ``ReaderHasGone``, or another error of the system.
  func print(json line: Data) throws {
    let text = String(decoding: line, as: UTF8.self)
    if text.isHarmless { return try print(line) }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if scalar.isHarmless {
        escaped.unicodeScalars.append(scalar)
      } else {
        // The scalar is inside a string. JSON escapes it there as one or two UTF-16 units.
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    try print(Data(escaped.utf8))
  }

  /// Writes a line.
  ///
  /// Characters that aren't harmless are written out.
  ///
  /// - Throws: ``ReaderHasGone``, or another error of the system.
  func print(_ line: String) throws { try print(Data(harmlessLine(line).utf8)) }
}
