import Signalbox

/// The messages of all conversations that have the words of a search, the newest first.
@MainActor final class MessageSearch {
  let messages: FetchedObjectsModel<Message>
  private(set) var pattern: SearchPattern

  init(_ words: String, in store: Store) throws {
    pattern = SearchPattern(words: words)
    messages = try FetchedObjectsModel(Self.query(pattern), in: store, delivery: .mainActor)
  }

  func search(_ words: String) throws {
    let before = pattern
    pattern = SearchPattern(words: words)  // Already for the event's subscribers.
    do {
      try messages.setQuery(Self.query(pattern))
    } catch {
      pattern = before
      throw error
    }
  }

  private static func query(_ pattern: SearchPattern) -> Query<Message> {
    Query<Message>().matching(pattern)
      .sorted { [$0.id.descending] }
      .limit(20)
      .including {
        $0.author.name
        $0.conversation.title
      }
  }

  /// The conversation, the author, and a part of the text, with asterisks around what was found.
  func line(for row: EntityView<Message>) -> String {
    var text = pattern.snippet(of: row.text, words: 8)
    for range in pattern.highlights(in: text).reversed() {
      text.replaceSubrange(range, with: "*\(text[range])*")
    }
    return "\(row.id) \(row.conversation?.title ?? "?"), \(row.author?.name ?? "?"): \(text)"
  }

  var lines: [String] { messages.snapshot.rows.map { line(for: $0) } }
}
