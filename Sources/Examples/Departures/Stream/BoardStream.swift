import Foundation
import Signalbox

/// What changes on the board, as lines of JSON: pages of a feed, each with the board's time.
///
/// The feed's name follows from the data and the sections, so a cursor of another run is understood if that had
/// the same board.
@MainActor final class BoardStream {
  private let presenter: BoardPresenter
  private let feed: FetchedObjectsFeed<FeedPage<BoardRow>>
  private let encoder = JSONEncoder()
  /// Where the reader is.
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

  /// Goes on from where the board is, if the reader says it is there too; otherwise it is told the whole board.
  func start(after position: StreamPosition?) throws {
    guard let position else { return }
    let shown = try feed.page(after: nil).cursor
    switch position {
    case .version(shown.version), .cursor(shown): cursor = shown
    case .version, .cursor: break
    }
  }

  /// The line that leads from where the reader is to the board; nil if it is there.
  func line(isLast: Bool = false) throws -> Data? {
    let page = try feed.page(after: cursor)
    if page.cursor == cursor, !isLast { return nil }
    cursor = page.cursor
    return try encoder.encode(Line(page: page, clock: presenter.clock, isLast: isLast))
  }

  /// A page with what else a line says.
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
