/// A person, who may own cars.
struct Person: Hashable, Identifiable, Sendable {
  let id: ModelID
  var name: String
  var birthdate: Day
}
