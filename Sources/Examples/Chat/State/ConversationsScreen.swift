import Signalbox

/// The conversations, the latest first, with the numbers of unread messages.
@MainActor final class ConversationsScreen {
  let conversations: FetchedObjectsModel<Conversation>
  let unread: DerivedModel<Group<EntityView<Unread>>>
  let badge: ObservedValue<Int>

  init(_ chat: Chat) throws {
    conversations = try FetchedObjectsModel(
      Query<Conversation>()
        .sorted { [$0.latest.id.descending, $0.id.ascending] }
        .including {
          $0.latest.text
          $0.latest.author.name
        }, in: chat.store, delivery: .mainActor)
    let marks = chat.unread
    unread = try FetchedObjectsModel(
      marks.sectioned { $0.message.conversation.id }, in: chat.store, delivery: .mainActor
    ).groups()
    badge = try ObservedValue(in: chat.store, delivery: .mainActor) { try $0.count(marks) }
  }

  func unreadCount(_ id: Conversation.ID) -> Int { unread.row(for: SectionID(id))?.count ?? 0 }

  func line(for row: EntityView<Conversation>) -> String {
    let latest = row.latest.map { "\($0.author?.name ?? "?"): \($0.text)" } ?? "no messages"
    return "\(row.id) \(row.title) (\(unreadCount(row.id))) \(latest)"
  }

  var lines: [String] { conversations.snapshot.rows.map { line(for: $0) } }
}
