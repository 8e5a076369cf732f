import DeparturesModel
import Foundation
import Signalbox

/// The changes of the board as lines of JSON: pages of a feed, each with the board's time.
///
/// The name of the feed depends on the data and the sections. So a cursor of another run is valid
/// if that run had the same board.
@MainActor final class BoardStream {
  private let presenter: BoardPresenter
  private let feed: FetchedObjectsFeed<FeedPage<BoardRow>>
  private let encoder = JSONEncoder()
  /// The position of the reader.
  private(set) var cursor: FeedCursor?

  init(_ presenter: BoardPresenter, of source: Fingerprint) {
    self.presenter = presenter
    var name = source
    name.add(presenter.request.grouping.rawValue)
    let clocks = presenter.clocks
    feed = FetchedObjectsFeed(of: presenter.departures, keeping: 2, identity: name.value) {
      BoardRow($0, clocks: clocks)
    }
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Continues from the current board if the reader's position matches it.
  ///
  /// Otherwise the reader receives the whole board.
  func start(after position: StreamPosition?) throws {
    guard let position else { return }
    let shown = try feed.page(after: nil).cursor
    switch position {
    case .version(shown.version), .cursor(shown): cursor = shown
    case .version, .cursor: break
    }
  }

  /// Returns the line that leads from the reader's position to the board, or nil if there is no
  /// difference.
  func line(isLast: Bool = false) throws -> Data? {
    let page = try feed.page(after: cursor)
    if page.cursor == cursor, !isLast { return nil }
    cursor = page.cursor
    return try encoder.encode(Line(page: page, clock: presenter.clock, isLast: isLast))
  }

  /// A page with the additional parts of a line.
  private struct Line: Encodable {
    var page: FeedPage<BoardRow>
    var clock: String
    var isLast: Bool

    private enum Key: String, CodingKey {
      case clock, end
    }

    func encode(to encoder: any Encoder) throws {
      try page.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(clock, forKey: .clock)
      if isLast { try container.encode(true, forKey: .end) }
    }
  }
}
