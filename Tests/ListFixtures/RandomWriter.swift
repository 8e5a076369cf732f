package import EntityStore
internal import Fixtures
package import TestSupport

package let names = ["Ann", "Bea", "Bob", "Cid", "Dan", "Zoe"]

/// Makes commits of a few random writes.
package struct RandomWriter {
  package var random: SeededGenerator
  package let people = 4
  package let cars = 9

  package init(random: SeededGenerator) {
    self.random = random
  }

  package mutating func commit(_ store: Store) throws {
    let count = Int.random(in: 1...6, using: &random)
    do {
      try store.commit { draft in for _ in 0..<count { try write(draft) } }
    } catch StoreError.missingReference {
      // A car of somebody who came and went in this commit: nothing has happened.
    }
  }

  private mutating func write(_ draft: borrowing Draft) throws {
    let car = Int.random(in: 0..<cars, using: &random)
    let person = Int.random(in: 0..<people, using: &random)
    let name = names[Int.random(in: 0..<names.count, using: &random)]
    let exists = try draft.find(Car.self, car) != nil
    let owner = try draft.find(Person.self, person).map { Ref($0) }
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      try draft.upsert(Person(id: person, name: name, age: Int.random(in: 0...2, using: &random)))
    case 2: if owner != nil { try draft.delete(Person.self, person) }
    case 3: if exists { try draft.delete(Car.self, car) }
    case 4, 5: if exists { try draft.update(Car.self, car) { $0.owner = owner } }
    case 6:
      if exists {
        let year = 2000 + Int.random(in: 0..<10, using: &random)
        try draft.update(Car.self, car) { $0.year = year }
      }
    default:
      let model = ["A", "B", "C", "D"][Int.random(in: 0..<4, using: &random)]
      try draft.upsert(
        Car(
          id: car, model: model, year: 2000 + Int.random(in: 0..<10, using: &random), owner: owner))
    }
  }
}
