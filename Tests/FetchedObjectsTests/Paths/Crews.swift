import EntityStore
import FetchedObjects
import ListDiffing
import TestSupport
import Testing

struct Depot: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Depot.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Depot.init)
}

struct Crew: Entity {
  let id: Int
  var rank: Int
  var depot: Ref<Depot>?
  static let attributes = Attributes(
    .id(\Crew.id), .attribute("rank", \.rank),
    .one("depot", \.depot, inverse: \.crews, onDelete: .nullify))
  static let schema = Schema(attributes, Crew.init)
}

/// A mate works in a crew, which has its depot: two steps away, and back over many.
struct Mate: Entity {
  let id: Int
  var grade: Int
  var crew: Ref<Crew>?
  static let attributes = Attributes(
    .id(\Mate.id), .attribute("grade", \.grade),
    .one("crew", \.crew, inverse: \.mates, onDelete: .nullify))
  static let schema = Schema(attributes, Mate.init)
}

extension Depot { var crews: Many<Depot, Crew> { Many(\.depot) } }
extension Crew { var mates: Many<Crew, Mate> { Many(\.crew) } }

/// A mate, and all that a query reads of others for it.
struct MateRow: OracleRow, CustomStringConvertible {
  let id: Int
  let grade: Int
  let crew: Int?
  /// What is read on the query's paths.
  let values: [StoredValue]

  var description: String { "\(id): \(grade), \(crew, default: "-"), \(values)" }

  /// What can be seen of it in a snapshot.
  var shown: MateRow { MateRow(id: id, grade: grade, crew: crew, values: []) }

  init(id: Int, grade: Int, crew: Int?, values: [StoredValue]) {
    self.id = id
    self.grade = grade
    self.crew = crew
    self.values = values
  }

  init(_ view: EntityView<Mate>) {
    let mate = view.value
    self.init(id: mate.id, grade: mate.grade, crew: mate.crew?.id, values: [])
  }
}

/// All objects at one version, to compute results of by mate.
struct CrewWorld {
  let mates: [Mate]
  private let crews: [Int: Crew]
  private let depots: [Int: Depot]

  init(_ store: Store) throws {
    (mates, crews, depots) = try store.read { reader in
      (
        try reader.fetch(Query<Mate>()),
        Dictionary(uniqueKeysWithValues: try reader.fetch(Query<Crew>()).map { ($0.id, $0) }),
        Dictionary(uniqueKeysWithValues: try reader.fetch(Query<Depot>()).map { ($0.id, $0) })
      )
    }
  }

  func crew(_ mate: Mate) -> Crew? { mate.crew.flatMap { crews[$0.id] } }
  func depot(_ mate: Mate) -> Depot? { crew(mate)?.depot.flatMap { depots[$0.id] } }

  /// How many mates are in the crew of a mate.
  func size(_ mate: Mate) -> Int { mate.crew.map(size) ?? 0 }

  private func size(_ crew: Ref<Crew>) -> Int { mates.count { $0.crew?.id == crew.id } }

  /// The grades of all mates in the crew of a mate, by their ids.
  func grades(_ mate: Mate) -> [Int] {
    guard let crew = mate.crew, crews[crew.id] != nil else { return [] }
    return mates.filter { $0.crew?.id == crew.id }.map(\.grade)
  }

  /// How many crews of a mate's depot have a mate of grade 3 or more.
  func ableCrews(_ mate: Mate) -> Int {
    guard let depot = depot(mate) else { return 0 }
    return crews.values.count { crew in
      crew.depot?.id == depot.id && mates.contains { $0.crew?.id == crew.id && $0.grade >= 3 }
    }
  }
}

extension Row where Root == Mate, Target == Mate {
  fileprivate var isTop: Condition<Mate> { self.grade >= (self.crew.rank ?? 3) }
}

/// A query whose filter, order or sections lie two steps away or over many, and its result by mate.
struct PathQuery: Sendable, CustomTestStringConvertible {
  let name: String
  let query: Query<Mate>
  var isSectioned = false
  /// What the query reads of other objects, in any order.
  let values: @Sendable (Mate, CrewWorld) -> [StoredValue]
  var belongs: @Sendable (Mate, CrewWorld) -> Bool = { _, _ in true }
  var section: @Sendable (Mate, CrewWorld) -> StoredValue = { _, _ in .null }
  /// The keys of section and order, for a naive sort.
  let keys: @Sendable (Mate, CrewWorld) -> [StoredValue]
  /// The values as a row of the result has them, if the query includes them.
  var included: (@Sendable (EntityView<Mate>) -> [StoredValue])?

  var testDescription: String { name }

  private static func depotName(_ mate: Mate, _ world: CrewWorld) -> StoredValue {
    world.depot(mate).map { .text($0.name) } ?? .null
  }

  private static func integer(_ number: Int) -> StoredValue { .integer(Int64(number)) }

  static let all: [PathQuery] = [
    PathQuery(
      name: "two-step filter",
      query: Query<Mate>().filter { $0.crew.depot.name != "B" }.sorted { [$0.grade.ascending] },
      values: { [depotName($0, $1)] }, belongs: { $1.depot($0)?.name != "B" },
      keys: { mate, _ in [integer(mate.grade)] }),
    PathQuery(
      name: "two-step sort",
      query: Query<Mate>().sorted { [$0.crew.depot.name.ascending, $0.grade.descending] },
      values: { [depotName($0, $1)] }, keys: { [depotName($0, $1), integer(-$0.grade)] }),
    PathQuery(
      name: "two-step section",
      query: Query<Mate>().sorted { [$0.grade.ascending] }.sectioned { $0.crew.depot.name }
        .including {
          $0.crew.depot.name
          $0.crew.depot.id
        },
      isSectioned: true,
      values: { mate, world in
        [depotName(mate, world), world.depot(mate).map { integer($0.id) } ?? .null]
      },
      section: { depotName($0, $1) }, keys: { [depotName($0, $1), integer($0.grade)] },
      included: { row in
        [
          row.crew?.depot?.name.storedValue ?? .null, row.crew?.depot?.id.storedValue ?? .null,
        ]
      }),
    PathQuery(
      name: "to-many filter",
      query: Query<Mate>().filter { $0.crew.mates.count > 2 }.sorted { [$0.grade.ascending] },
      values: { [integer($1.size($0))] }, belongs: { $1.size($0) > 2 },
      keys: { mate, _ in [integer(mate.grade)] }),
    PathQuery(
      name: "to-many sort",
      query: Query<Mate>().sorted { [$0.crew.mates.count.descending, $0.grade.ascending] },
      values: { [integer($1.size($0))] }, keys: { [integer(-$1.size($0)), integer($0.grade)] }),
    PathQuery(
      name: "to-many section",
      query: Query<Mate>().sorted { [$0.grade.ascending] }.sectioned { $0.crew.mates.count },
      isSectioned: true, values: { [integer($1.size($0))] }, section: { integer($1.size($0)) },
      keys: { [integer($1.size($0)), integer($0.grade)] }),
    PathQuery(
      name: "two steps and over two to-many",
      query: Query<Mate>()
        .filter { $0.crew.depot.crews.count { $0.mates.any { $0.grade >= 3 } } > 1 }
        .sorted { [$0.crew.rank.ascending] }
        .sectioned { $0.crew.depot.name },
      isSectioned: true,
      values: { mate, world in
        [
          integer(world.ableCrews(mate)), depotName(mate, world),
          world.crew(mate).map { integer($0.rank) } ?? .null,
        ]
      },
      belongs: { $1.ableCrews($0) > 1 }, section: { depotName($0, $1) },
      keys: { mate, world in
        [depotName(mate, world), world.crew(mate).map { integer($0.rank) } ?? .null]
      }),
    PathQuery(
      name: "sum sort",
      query: Query<Mate>().sorted { [$0.crew.mates.sum { $0.grade }.ascending] },
      values: { [integer($1.grades($0).reduce(0, +))] },
      keys: { [integer($1.grades($0).reduce(0, +))] }),
    PathQuery(
      name: "greatest section",
      query: Query<Mate>().sectioned { $0.crew.mates.max { $0.grade } }, isSectioned: true,
      values: { [$1.grades($0).max().storedValue] }, section: { $1.grades($0).max().storedValue },
      keys: { [$1.grades($0).max().storedValue] }),
    PathQuery(
      name: "average filter",
      query: Query<Mate>()
        .filter { $0.crew.mates.filter { $0.grade > 1 }.average { $0.grade } >= 3 },
      values: { [average($1.grades($0).filter { $0 > 1 }).storedValue] },
      belongs: { average($1.grades($0).filter { $0 > 1 }) ?? 0 >= 3 }, keys: { _, _ in [] }),
    PathQuery(
      name: "computed filter",
      query: Query<Mate>()
        .filter { $0.grade * 2 >= ($0.crew.rank ?? 3) }.sorted { [$0.grade.ascending] },
      values: { [rank($0, $1)] }, belongs: { $0.grade * 2 >= $1.crew($0)?.rank ?? 3 },
      keys: { mate, _ in [integer(mate.grade)] }),
    PathQuery(
      name: "computed sort",
      query: Query<Mate>().sorted { [($0.crew.rank * 10 - $0.grade).ascending] },
      values: { [rank($0, $1)] },
      keys: { mate, world in
        [world.crew(mate).map { integer($0.rank * 10 - mate.grade) } ?? .null]
      }),
    PathQuery(
      name: "computed section",
      query: Query<Mate>().sorted { [$0.grade.ascending] }
        .sectioned { $0.crew.depot.name + "/" + $0.crew.mates.count.asString },
      isSectioned: true,
      values: { [place($0, $1)] },
      section: { place($0, $1) }, keys: { [place($0, $1), integer($0.grade)] }),
    PathQuery(
      name: "section by conditions",
      query: Query<Mate>().sorted { [$0.grade.ascending] }
        .sectioned { $0.isTop.asInt + ($0.crew.mates.count > 2).asInt },
      isSectioned: true,
      values: { [step($0, $1)] },
      section: { step($0, $1) }, keys: { [step($0, $1), integer($0.grade)] }),
    PathQuery(
      name: "included values",
      query: Query<Mate>().sorted { [$0.grade.ascending] }.including {
        $0.crew.mates.count
        $0.crew.mates.filter { $0.grade > 2 }.sum { $0.grade }
        $0.crew.mates.values(by: { [$0.id.descending] }) { $0.grade }
      },
      values: { mate, world in
        let grades = world.grades(mate)
        let shown = [grades.count, grades.filter { $0 > 2 }.reduce(0, +)] + grades.reversed()
        return world.crew(mate) == nil ? [] : shown.map(integer)
      },
      keys: { mate, _ in [integer(mate.grade)] },
      included: { row in
        guard let crew = row.crew else { return [] }
        let grades = crew.mates.values(by: { [$0.id.descending] }) { $0.grade }
        return ([crew.mates.count, crew.mates.filter { $0.grade > 2 }.sum { $0.grade }] + grades)
          .map(integer)
      }),
    PathQuery(
      name: "included computed values",
      query: Query<Mate>().sorted { [$0.grade.ascending] }.including {
        $0.isTop
        $0.crew.rank * 10 - $0.grade
        $0.crew.depot.name + "/" + $0.crew.mates.count.asString
      },
      values: { mate, world in
        let isTop = mate.grade >= world.crew(mate)?.rank ?? 3
        return [
          integer(isTop ? 1 : 0),
          world.crew(mate).map { integer($0.rank * 10 - mate.grade) } ?? .null,
          place(mate, world),
        ]
      },
      keys: { mate, _ in [integer(mate.grade)] },
      included: { row in
        [
          integer(row.computed { $0.isTop } ? 1 : 0),
          row.computed { $0.crew.rank * 10 - $0.grade }.storedValue,
          row.computed { $0.crew.depot.name + "/" + $0.crew.mates.count.asString }.storedValue,
        ]
      }),
  ]

  private static func rank(_ mate: Mate, _ world: CrewWorld) -> StoredValue {
    world.crew(mate).map { integer($0.rank) } ?? .null
  }

  private static func step(_ mate: Mate, _ world: CrewWorld) -> StoredValue {
    let isTop = mate.grade >= world.crew(mate)?.rank ?? 3
    return integer((isTop ? 1 : 0) + (world.size(mate) > 2 ? 1 : 0))
  }

  private static func place(_ mate: Mate, _ world: CrewWorld) -> StoredValue {
    world.depot(mate).map { .text("\($0.name)/\(world.size(mate))") } ?? .null
  }

  private static func average(_ numbers: [Int]) -> Double? {
    numbers.isEmpty ? nil : Double(numbers.reduce(0, +)) / Double(numbers.count)
  }

  /// The result by mate, from all objects.
  func expected(_ store: Store) throws -> [OracleSection<MateRow>] {
    let world = try CrewWorld(store)
    let rows = world.mates.filter { belongs($0, world) }.map { mate in
      (mate: mate, keys: keys(mate, world) + [.integer(Int64(mate.id))])
    }.sorted { $0.keys.lexicographicallyPrecedes($1.keys) }
    var sections: [OracleSection<MateRow>] = []
    for (mate, _) in rows {
      let row = MateRow(
        id: mate.id, grade: mate.grade, crew: mate.crew?.id, values: values(mate, world))
      let key = section(mate, world)
      if sections.last?.identity != key {
        let title = key == .null ? "" : "\(key)"
        sections.append(OracleSection(identity: key, title: title, rows: []))
      }
      sections[sections.count - 1].rows.append(row)
    }
    if !isSectioned && sections.isEmpty {
      sections = [OracleSection(identity: .null, title: "", rows: [])]
    }
    return sections
  }
}

/// Makes commits of a few random writes to mates, crews and depots.
struct CrewWriter: Sendable {
  var random: SeededGenerator

  mutating func commit(_ store: Store) throws {
    let count = Int.random(in: 1...4, using: &random)
    try store.commit { draft in for _ in 0..<count { try write(draft) } }
  }

  private mutating func write(_ draft: borrowing Draft) throws {
    let mate = Int.random(in: 0..<9, using: &random)
    let crew = Int.random(in: 0..<4, using: &random)
    let depot = Int.random(in: 0..<3, using: &random)
    let number = Int.random(in: 0..<5, using: &random)
    let name = ["A", "B", "C", "D"][Int.random(in: 0..<4, using: &random)]
    let crewReference = try draft.find(Crew.self, crew).map { Ref($0) }
    let depotReference = try draft.find(Depot.self, depot).map { Ref($0) }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: try draft.upsert(Depot(id: depot, name: name))
    case 2: if depotReference != nil && number == 0 { try draft.delete(Depot.self, depot) }
    case 3, 4: try draft.upsert(Crew(id: crew, rank: number, depot: depotReference))
    case 5: if crewReference != nil && number < 2 { try draft.delete(Crew.self, crew) }
    case 6: if try draft.find(Mate.self, mate) != nil { try draft.delete(Mate.self, mate) }
    default: try draft.upsert(Mate(id: mate, grade: number, crew: crewReference))
    }
  }
}
