internal import Foundation

/// A splitter that cuts bytes, in pieces of any size, into lines.
struct LineSplitter {
  /// The number of bytes that a line may have.
  private let limit: Int
  private var rest: [UInt8] = []
  private(set) var number = 0
  /// The number of bytes that have been read or moved so far, from which a test sees the cost.
  private(set) var work = 0
  /// The address of the unfinished line after the last piece.
  ///
  /// If the line now has another address, it was copied.
  private var place = 0

  init(limit: Int) { self.limit = limit }

  /// Calls `body` with each line that ends in `bytes`, without its line end.
  ///
  /// - Throws: ``JSONLinesError`` as soon as a line is longer than the limit, even if its end
  ///   hasn't come; the error that `body` throws.
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

  /// Calls `body` with the last line, if it has no line end.
  mutating func takeRest(_ body: (_ number: Int, _ line: [UInt8]) throws -> Void) throws {
    if !rest.isEmpty { try finish(body) }
  }

  private mutating func add(_ part: ArraySlice<UInt8>) throws {
    // One byte more may be a part of the line end, and three more those of a byte order mark.
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
    // Some editors begin a UTF-8 file with a byte order mark.
    if number == 1, rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
    if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
    guard rest.count <= limit else { throw JSONLinesError(number, .lineTooLong(limit: limit)) }
    // An empty line is ignored.
    if !rest.isEmpty { try body(number, rest) }
  }
}
