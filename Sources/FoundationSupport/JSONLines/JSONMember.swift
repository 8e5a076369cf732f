internal import EntityStore

/// A member of a JSON object: a key and its value.
struct JSONMember {
  let key: String
  let value: JSONValue
}
