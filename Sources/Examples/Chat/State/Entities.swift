import Foundation
import Signalbox

struct Person: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Person.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Person.init, rules: [.unique(\.name)])
}

struct Conversation: Entity {
  let id: Int
  var title: String
  var latest: Ref<Message>?
  static let attributes = Attributes(
    .id(\Conversation.id), .attribute("title", \.title),
    .one("latest", \.latest, onDelete: .nullify))
  static let schema = Schema(attributes, Conversation.init)
}

struct Message: Entity {
  let id: Int
  var text: String
  var sent: Date
  var isEdited = false
  var author: Ref<Person>
  var conversation: Ref<Conversation>
  static let attributes = Attributes(
    .id(\Message.id), .attribute("text", \.text), .attribute("sent", \.sent),
    .attribute("isEdited", \.isEdited), .one("author", \.author),
    .one("conversation", \.conversation, inverse: \.messages, onDelete: .cascade))
  static let schema = Schema(attributes, Message.init, rules: [.fullText(\.text)])
}

/// A mark for each person who hasn't read a message yet.
struct Unread: Entity {
  let id: Int
  var message: Ref<Message>
  var person: Ref<Person>
  static let attributes = Attributes(
    .id(\Unread.id), .one("message", \.message, inverse: \.unread, onDelete: .cascade),
    .one("person", \.person, onDelete: .cascade))
  static let schema = Schema(attributes, Unread.init, rules: [.unique(\.person, \.message)])
}

/// A sign under a message, one for each person.
struct Reaction: Entity {
  let id: Int
  var emoji: String
  var person: Ref<Person>
  var message: Ref<Message>
  static let attributes = Attributes(
    .id(\Reaction.id), .attribute("emoji", \.emoji), .one("person", \.person),
    .one("message", \.message, inverse: \.reactions, onDelete: .cascade))
  static let schema = Schema(attributes, Reaction.init, rules: [.unique(\.message, \.person)])
}

extension Conversation {
  var messages: Many<Conversation, Message> { Many(\.conversation) }
}

extension Message {
  var unread: Many<Message, Unread> { Many(\.message) }
  var reactions: Many<Message, Reaction> { Many(\.message) }
}
