internal import FetchedObjects

/// The place of a client in a stream: its cursor in each of the lists, in their order.
struct EventStreamPlace: Sendable {
  private(set) var cursors: [FeedCursor?]
  /// The texts of the cursors, which clients at the same place share.
  private var ids: [[UInt8]]
  /// True after the first bytes.
  var hasBegun: Bool { lastSign != nil }
  /// The time of the last sign of life among the events, or of the first bytes before there is one.
  private var lastSign: ContinuousClock.Instant?
  /// The pieces of the last events that haven't been taken yet, the next one last.
  var pieces: [[UInt8]] = []

  /// Creates the place of a client with the id of its last event, or of a client that begins.
  ///
  /// A text that isn't an id of a stream with as many lists is the place of one that begins.
  init(_ lastEventID: String?, listCount: Int) {
    cursors = Array(repeating: nil, count: listCount)
    // A cursor has 54 bytes at most.
    if let text = lastEventID, text.utf8.count <= listCount * 55 {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      if parts.count == listCount { cursors = parts.map { FeedCursor(String($0)) } }
    }
    ids = cursors.map { Array(($0?.description ?? "").utf8) }
  }

  /// Returns true if a sign of life has to come with the next events, and takes it as sent.
  mutating func needsSign(at time: ContinuousClock.Instant) -> Bool {
    let needsSign = lastSign.map { time - $0 >= .seconds(5) } ?? false
    if needsSign || !hasBegun { lastSign = time }
    return needsSign
  }

  mutating func move(_ list: Int, after event: EventStreamList.Event) {
    cursors[list] = event.cursor
    ids[list] = event.id
  }

  /// Adds the line with the id of an event after which a client is here, and ends the event.
  func endEvent(_ event: EventStreamList.Event, _ bytes: inout [UInt8]) {
    let ending = ids.count == 1 ? event.ending : Self.ending(ids)
    if bytes.isEmpty { bytes = ending } else { bytes.append(contentsOf: ending) }
  }

  /// Returns the line with the id of a place, and the empty line that ends an event.
  static func ending(_ ids: [[UInt8]]) -> [UInt8] {
    var bytes = Array("id: ".utf8)
    for (list, id) in ids.enumerated() {
      if list > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: id)
    }
    bytes.append(contentsOf: "\n\n".utf8)
    return bytes
  }
}
