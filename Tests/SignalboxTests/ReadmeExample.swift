import Signalbox
import Testing

// The example of the README, compiled and run as shown: its declarations here, its statements in a
// main-actor function and in a method of a main-actor class. `ReadmeTests` compares the texts.

// README declarations
struct Person: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Person.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Person.init)
}
struct Car: Entity {
  let id: Int
  var model: String
  var owner: Ref<Person>?
  static let attributes = Attributes(
    .id(\Car.id), .attribute("model", \.model), .one("owner", \.owner))
  static let schema = Schema(attributes, Car.init)
}
// README end

@MainActor func readmeStatements() throws -> [String] {
  // README statements
  let store = try Store(.inMemory, entities: [Person.self, Car.self])  // or .sqlite(path:)
  let query = Query<Car>().sorted { [$0.model.ascending] }.sectioned { $0.owner.name }
  let cars = try FetchedObjectsModel(query, in: store, delivery: .mainActor)
  let token = cars.didChange.subscribe(on: .mainActor) { event in print(event.changes) }
  try store.commit { try $0.insert(Person(id: 1, name: "Ann")) }
  try store.commit { try $0.insert(Car(id: 1, model: "Volvo", owner: Ref(1))) }
  withExtendedLifetime(token) { print(cars.sections.map(\.name)) }  // ["Ann"]
  // README end
  return cars.sections.map(\.name)
}

@MainActor final class ReadmeScreen {
  func show() throws -> [String] {
    // README statements
    let store = try Store(.inMemory, entities: [Person.self, Car.self])  // or .sqlite(path:)
    let query = Query<Car>().sorted { [$0.model.ascending] }.sectioned { $0.owner.name }
    let cars = try FetchedObjectsModel(query, in: store, delivery: .mainActor)
    let token = cars.didChange.subscribe(on: .mainActor) { event in print(event.changes) }
    try store.commit { try $0.insert(Person(id: 1, name: "Ann")) }
    try store.commit { try $0.insert(Car(id: 1, model: "Volvo", owner: Ref(1))) }
    withExtendedLifetime(token) { print(cars.sections.map(\.name)) }  // ["Ann"]
    // README end
    return cars.sections.map(\.name)
  }
}
