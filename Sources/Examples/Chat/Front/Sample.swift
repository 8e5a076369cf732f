import Foundation

/// The content of a store in memory.
enum Sample {
  static let user = "Ann"

  /// Inserts two conversations, of which the user has read the first messages.
  static func fill(_ chat: Chat, now: Date) throws {
    let bob = try Chat.join("Bob", in: chat.store)
    let cleo = try Chat.join("Cleo", in: chat.store)
    let hiking = try chat.begin("Hiking")
    let work = try chat.begin("Work")
    let yesterday = now - 86_400
    try chat.send("Shall we go to the lake on Sunday?", by: bob, to: hiking, at: yesterday)
    try chat.send("Yes! By train?", by: chat.user, to: hiking, at: yesterday + 60)
    try chat.react("👍", to: 1)
    try chat.markRead(hiking, through: 2)
    try chat.send("The one at 8:10 stops at the lake.", by: bob, to: hiking, at: now - 7200)
    try chat.send("I bring tea and bread.", by: cleo, to: hiking, at: now - 7000)
    try chat.send("Is the report ready?", by: cleo, to: work, at: now - 600)
  }
}
