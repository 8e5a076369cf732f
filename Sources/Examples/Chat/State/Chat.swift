import Foundation
import Signalbox

/// The commits of the app, which all screens use.
nonisolated struct Chat {
  static let entities: [any Entity.Type] = [
    Person.self, Conversation.self, Message.self, Unread.self, Reaction.self,
  ]

  let store: Store
  let user: Person.ID

  /// Creates the commits of the person with this name, who joins if nobody has it.
  init(_ store: Store, as name: String) throws {
    self.store = store
    user = try Self.join(name, in: store)
  }

  /// The marks of the messages that the user hasn't read.
  var unread: Query<Unread> {
    let user = Ref<Person>(user)
    return Query<Unread>().filter { $0.person == user }
  }

  static func join(_ name: String, in store: Store) throws -> Person.ID {
    if let person = try store.find(Person.self, by: (\.name, name)) { return person.id }
    return try store.commit { draft in
      try draft.upsert(Person(id: draft.nextID(Person.self), name: name), by: \.name).id
    }
  }

  func begin(_ title: String) throws -> Conversation.ID {
    try store.commit { draft in
      let conversation = Conversation(id: try draft.nextID(Conversation.self), title: title)
      try draft.insert(conversation)
      return conversation.id
    }
  }

  /// Sends a message, which everybody except its author has to read.
  func send(_ text: String, by author: Person.ID, to id: Conversation.ID, at date: Date) throws {
    try store.commit { draft in
      let message = Message(
        id: try draft.nextID(Message.self), text: text, sent: date, author: Ref(author),
        conversation: Ref(id))
      try draft.insert(message)
      try draft.update(Conversation.self, id) { $0.latest = Ref(message) }
      for reader in try draft.fetch(Query<Person>().filter { $0.id != author }) {
        let mark = Unread(
          id: try draft.nextID(Unread.self), message: Ref(message), person: Ref(reader))
        try draft.insert(mark)
      }
    }
  }

  func edit(_ message: Message.ID, _ text: String) throws {
    try store.commit { draft in
      try draft.update(Message.self, message) {
        guard $0.author.id == user else { throw ChatError.isOfAnother(message) }
        $0.text = text
        $0.isEdited = true
      }
    }
  }

  func delete(_ id: Message.ID) throws {
    try store.commit { draft in
      guard let message = try draft.find(Message.self, id) else { return }
      guard message.author.id == user else { throw ChatError.isOfAnother(id) }
      try draft.delete(message)
      let others = Query<Message>().filter { $0.conversation == message.conversation }
      let latest = try draft.first(others.sorted { [$0.id.descending] })
      try draft.update(message.conversation) { $0.latest = latest.map { Ref($0) } }
    }
  }

  /// Puts the user's sign under a message, in place of an earlier one.
  func react(_ emoji: String, to message: Message.ID) throws {
    try store.commit { draft in
      let id = try draft.nextID(Reaction.self)
      let reaction = Reaction(id: id, emoji: emoji, person: Ref(user), message: Ref(message))
      try draft.upsert(reaction, by: \.message, \.person)
    }
  }

  func markRead(_ conversation: Conversation.ID, through message: Message.ID) throws {
    let read = unread.filter {
      $0.message.conversation == Ref(conversation)
      $0.message.id <= message
    }
    try store.commit { draft in try draft.deleteAll(read) }
  }
}

nonisolated enum ChatError: Error {
  /// The message is of somebody else, who alone changes it.
  case isOfAnother(Message.ID)
}
