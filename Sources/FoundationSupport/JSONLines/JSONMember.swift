internal import EntityStore

/// A value in an object, and its key.
struct JSONMember {
  let key: String
  let value: JSONValue
}
