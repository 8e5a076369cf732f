package import EntityStore
package import Fixtures
internal import Testing

/// A query under test, and the same result by hand.
package struct OracleQuery: Sendable, CustomTestStringConvertible {
  package let name: String
  package let query: Query<Car>
  package let includesOwner: Bool
  package let isSectioned: Bool
  /// Which cars, given their owners; and the keys of section and order, for a naive sort.
  package let belongs: @Sendable (Car, Person?) -> Bool
  package let section: @Sendable (Car, Person?) -> StoredValue
  package let keys: @Sendable (Car, Person?) -> [StoredValue]

  package init(
    name: String, query: Query<Car>, includesOwner: Bool, isSectioned: Bool,
    belongs: @escaping @Sendable (Car, Person?) -> Bool,
    section: @escaping @Sendable (Car, Person?) -> StoredValue,
    keys: @escaping @Sendable (Car, Person?) -> [StoredValue]
  ) {
    self.name = name
    self.query = query
    self.includesOwner = includesOwner
    self.isSectioned = isSectioned
    self.belongs = belongs
    self.section = section
    self.keys = keys
  }

  package var testDescription: String { name }

  package static let all: [OracleQuery] = [
    OracleQuery(
      name: "flat by model", query: Query<Car>().sorted { [$0.model.ascending] },
      includesOwner: false, isSectioned: false, belongs: { _, _ in true },
      section: { _, _ in .null }, keys: { car, _ in [.text(car.model)] }),
    OracleQuery(
      name: "filtered, by year down",
      query: Query<Car>().filter { $0.year > 2003 }.sorted { [$0.year.descending] },
      includesOwner: false, isSectioned: false, belongs: { car, _ in car.year > 2003 },
      section: { _, _ in .null }, keys: { car, _ in [.integer(Int64(-car.year))] }),
    OracleQuery(
      name: "by owner's name", query: byOwner, includesOwner: true, isSectioned: true,
      belongs: { _, owner in owner != nil },
      section: { _, owner in owner?.name.storedValue ?? .null },
      keys: { car, owner in [owner?.name.storedValue ?? .null, .text(car.model)] }),
    OracleQuery(
      name: "by owner, ordered by name",
      query: Query<Car>()
        .sorted { [$0.model.ascending] }
        .sectioned(
          by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.name.ascending }
        )
        .including { $0.owner.name },
      includesOwner: true, isSectioned: true, belongs: { _, _ in true },
      section: { _, owner in owner?.id.storedValue ?? .null },
      keys: { car, owner in
        [owner?.name.storedValue ?? .null, owner?.id.storedValue ?? .null, .text(car.model)]
      }),
    OracleQuery(
      name: "by owner, titled by name",
      query: Query<Car>()
        .sorted { [$0.year.descending] }
        .sectioned(by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.id.ascending })
        .including { $0.owner.name },
      includesOwner: true, isSectioned: true, belongs: { _, _ in true },
      section: { _, owner in owner?.id.storedValue ?? .null },
      keys: { car, owner in [owner?.id.storedValue ?? .null, .integer(Int64(-car.year))] }),
    OracleQuery(
      name: "owners of two cars",
      query: Query<Car>()
        .filter {
          $0.owner.name != "Ann"
          $0.year < 2008 || $0.owner == nil
        }
        .sorted { [$0.owner.name.descending, $0.year.ascending] }
        .including { $0.owner.name },
      includesOwner: true, isSectioned: false,
      belongs: { car, owner in owner?.name != "Ann" && (car.year < 2008 || owner == nil) },
      section: { _, _ in .null },
      keys: { car, owner in
        // Descending: nil last, and later names first.
        let name = owner.map { 1000 - Int64(names.firstIndex(of: $0.name) ?? 0) } ?? 5000
        return [.integer(name), .integer(Int64(car.year))]
      }),
  ]

  /// The result by hand, from all objects.
  package func expected(_ store: Store) throws -> [(section: StoredValue, ids: [Int])] {
    let (cars, people) = try store.read { reader in
      (try reader.fetch(Query<Car>()), try reader.fetch(Query<Person>()))
    }
    let owners = Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0) })
    func owner(_ car: Car) -> Person? { car.owner.flatMap { owners[$0.id] } }
    let rows = cars.filter { belongs($0, owner($0)) }.map { car in
      (car: car, keys: keys(car, owner(car)) + [.integer(Int64(car.id))])
    }.sorted { $0.keys.lexicographicallyPrecedes($1.keys) }
    var sections: [(section: StoredValue, ids: [Int])] = []
    for row in rows {
      let key = section(row.car, owner(row.car))
      if sections.last?.section == key {
        sections[sections.count - 1].ids.append(row.car.id)
      } else {
        sections.append((key, [row.car.id]))
      }
    }
    if !isSectioned && sections.isEmpty { sections = [(.null, [])] }
    return sections
  }

  /// The window of a result by hand.
  package func window(
    _ sections: [(section: StoredValue, ids: [Int])], offset: Int, limit: Int?
  ) -> [(section: StoredValue, ids: [Int])] {
    var before = offset
    var room = limit ?? .max
    var shown: [(section: StoredValue, ids: [Int])] = []
    for section in sections {
      let ids = section.ids.dropFirst(before).prefix(room)
      before -= min(before, section.ids.count)
      room -= ids.count
      if !ids.isEmpty { shown.append((section.section, Array(ids))) }
    }
    return !isSectioned && shown.isEmpty ? [(.null, [])] : shown
  }
}
