internal import Foundation

/// Cuts bytes, which come in any pieces, into lines.
struct LineSplitter {
  private var rest: [UInt8] = []
  private(set) var number = 0

  /// Calls `body` with each line that ends in `bytes`, without its end.
  mutating func take(_ bytes: Data, _ body: (_ number: Int, _ line: [UInt8]) throws -> Void) throws
  {
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      rest += bytes[start..<end]
      start = bytes.index(after: end)
      try finish(body)
    }
    rest += bytes[start...]
  }

  /// Calls `body` with the last line, if it has no end of its own.
  mutating func takeRest(_ body: (_ number: Int, _ line: [UInt8]) throws -> Void) throws {
    if !rest.isEmpty { try finish(body) }
  }

  private mutating func finish(_ body: (_ number: Int, _ line: [UInt8]) throws -> Void) throws {
    number += 1
    defer { rest.removeAll(keepingCapacity: true) }
    if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
    // An empty line is none.
    if !rest.isEmpty { try body(number, rest) }
  }
}
