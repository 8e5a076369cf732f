import DeparturesModel
import Signalbox

/// The list that a page asks for: its sections, its words, and the range of its rows.
struct BoardAddress: Hashable {
  var request = BoardRequest()
  /// The range of rows, or nil for all.
  var window: Range<Int>?

  static let mostRows = 500
  static let longestSearch = 100
  static let mostWords = 8

  /// Reads the parameters of an address.
  ///
  /// - Throws: ``BadAddress``
  init(_ query: [String: String]) throws(BadAddress) {
    if let by = query["by"] {
      guard let grouping = BoardGrouping(rawValue: by) else {
        throw BadAddress("by is status, origin or carrier.")
      }
      request.grouping = grouping
    }
    if let search = query["search"] {
      guard search.utf8.count <= Self.longestSearch else {
        throw BadAddress("search has at most \(Self.longestSearch) bytes.")
      }
      // Different spaces ask for the same list.
      let words = search.split(whereSeparator: \.isWhitespace)
      guard words.count <= Self.mostWords else {
        throw BadAddress("search has at most \(Self.mostWords) words.")
      }
      request.search = words.joined(separator: " ")
    }
    guard let rows = try Self.number("rows", in: query, 1...Self.mostRows) else {
      if query["from"] != nil { throw BadAddress("from needs rows.") }
      return
    }
    let from = try Self.number("from", in: query, 0...100_000_000) ?? 0
    window = from..<from + rows
  }

  private static func number(
    _ name: String, in query: [String: String], _ range: ClosedRange<Int>
  ) throws(BadAddress) -> Int? {
    guard let text = query[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw BadAddress("\(name) is a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// A text that differs for different lists.
  var name: String {
    "\(request.grouping) \(window.map { "\($0)" } ?? "all") \(request.search)"
  }
}

/// The reason why a request is refused, as a sentence for the client.
struct BadAddress: Error {
  var sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
