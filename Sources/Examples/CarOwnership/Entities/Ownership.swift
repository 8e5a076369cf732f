/// A document that states the owner of a car.
struct Ownership: Hashable, Sendable {
  var owner: Person
  var car: Car
}
