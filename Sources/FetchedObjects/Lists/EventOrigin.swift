/// The identifier of one event of a model.
struct EventOrigin: Sendable, Hashable {
  let list: ObjectIdentifier
  let number: Int
}
