import EntityStore
import FetchedObjects
import Fixtures
import Relays
import Testing

private struct City: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\City.id), .attribute("name", \.name))
  static let schema = Schema(attributes, City.init)
}

private struct Company: Entity {
  let id: Int
  var city: Ref<City>?
  static let attributes = Attributes(.id(\Company.id), .one("city", \.city, inverse: \.companies))
  static let schema = Schema(attributes, Company.init)
}

private struct Worker: Entity {
  let id: Int
  var company: Ref<Company>?
  static let attributes = Attributes(
    .id(\Worker.id), .one("company", \.company, inverse: \.workers))
  static let schema = Schema(attributes, Worker.init)
}

extension City {
  fileprivate var companies: Many<City, Company> { Many(\.city) }
}

extension Company {
  fileprivate var workers: Many<Company, Worker> { Many(\.company) }
}

@Suite struct TwoStepTests {
  private func makeStore(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeStore(City.self, Company.self, Worker.self)
    try store.commit { draft in
      try draft.insert(City(id: 1, name: "Oslo"))
      try draft.insert(City(id: 2, name: "Rome"))
      try draft.insert(Company(id: 1, city: Ref(1)))
      try draft.insert(Company(id: 2, city: Ref(2)))
      for id in 1...4 { try draft.insert(Worker(id: id, company: Ref(id % 2 + 1))) }
    }
    return store
  }

  @Test(arguments: TestStorage.withServer)
  func `F5: a result follows what lies two steps away`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    let query = Query<Worker>().sectioned { $0.company.city.name }
      .including { $0.company.city.name }
    let model = try FetchedObjectsModel(query, in: store)
    func check(_ expected: [String: [Int]]) {
      var found: [String: [Int]] = [:]
      for section in model.sections {
        found[section.name] = section.map(\.id)
        for worker in section {
          #expect((worker.company?.city?.name ?? "") == section.name)
        }
      }
      #expect(found == expected)
    }
    check(["Oslo": [2, 4], "Rome": [1, 3]])
    try store.commit { try $0.update(City.self, 1) { $0.name = "Lund" } }
    check(["Lund": [2, 4], "Rome": [1, 3]])
    try store.commit { try $0.update(Company.self, 2) { $0.city = Ref(1) } }
    check(["Lund": [1, 2, 3, 4]])
    try store.commit { try $0.update(Worker.self, 3) { $0.company = nil } }
    check(["": [3], "Lund": [1, 2, 4]])
    try store.commit { try $0.delete(City.self, 1) }
    check(["": [1, 2, 3, 4]])
  }

  @Test(arguments: TestStorage.withServer)
  func `F5: a filter through one reference and back over to-many follows its objects`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let crowded = Query<Worker>().filter { $0.company.workers.count > 2 }
    let model = try FetchedObjectsModel(crowded, in: store)
    #expect(model.fetchedObjects.isEmpty)
    try store.commit { try $0.update(Worker.self, 1) { $0.company = Ref(1) } }
    #expect(model.fetchedObjects.map(\.id) == [1, 2, 4])
    let cities = Query<City>().filter { $0.companies.any { $0.workers.count == 1 } }
    let lonely = try FetchedObjectsModel(cities, in: store)
    #expect(lonely.fetchedObjects.map(\.id) == [2])
    try store.commit { try $0.delete(Worker.self, 3) }
    #expect(lonely.fetchedObjects.isEmpty)
    try store.commit { draft in
      try draft.delete(Worker.self, 1)
      try draft.delete(Worker.self, 2)
    }
    #expect(lonely.fetchedObjects.map(\.id) == [1])
    #expect(model.fetchedObjects.isEmpty)
  }
}
