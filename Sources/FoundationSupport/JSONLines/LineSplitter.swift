internal import Foundation

/// Cuts bytes, which come in any pieces, into lines.
struct LineSplitter {
  /// How many bytes a line may have.
  private let limit: Int
  private var rest: [UInt8] = []
  private(set) var number = 0
  /// How many bytes have been looked at or moved so far, by which a test sees the cost.
  private(set) var work = 0
  /// Where the unfinished line stood after the last piece: if it stands elsewhere now, it was copied.
  private var place = 0

  init(limit: Int) { self.limit = limit }

  /// Calls `body` with each line that ends in `bytes`, without its end.
  ///
  /// - Throws: ``JSONLinesError`` as soon as a line is longer than the limit, also if its end hasn't come; what
  ///   `body` throws.
  mutating func take(_ bytes: Data, _ body: (_ number: Int, _ line: [UInt8]) throws -> Void) throws
  {
    let piece = [UInt8](bytes)
    work += piece.count
    var start = 0
    while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
      try add(piece[start..<end])
      start = end + 1
      try finish(body)
    }
    try add(piece[start...])
  }

  /// Calls `body` with the last line, if it has no end of its own.
  mutating func takeRest(_ body: (_ number: Int, _ line: [UInt8]) throws -> Void) throws {
    if !rest.isEmpty { try finish(body) }
  }

  private mutating func add(_ part: ArraySlice<UInt8>) throws {
    // With a byte more that may be a part of the end, and those of a mark.
    let most = limit &+ (number == 0 ? 4 : 1)
    guard most < limit || rest.count + part.count <= most else {
      throw JSONLinesError(number + 1, .lineTooLong(limit: limit))
    }
    let count = rest.count
    rest += part
    let place = rest.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
    if place != self.place { work += count }
    self.place = place
  }

  private mutating func finish(_ body: (_ number: Int, _ line: [UInt8]) throws -> Void) throws {
    number += 1
    defer { rest.removeAll(keepingCapacity: true) }
    // Some editors begin a file of UTF-8 with a mark that says so.
    if number == 1, rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
    if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
    guard rest.count <= limit else { throw JSONLinesError(number, .lineTooLong(limit: limit)) }
    // An empty line is none.
    if !rest.isEmpty { try body(number, rest) }
  }
}
