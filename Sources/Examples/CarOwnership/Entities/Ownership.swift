/// The document that says whose a car is.
struct Ownership: Hashable, Sendable {
  var owner: Person
  var car: Car
}
