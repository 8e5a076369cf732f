import EntityStore
import Fixtures
import SQLitePersistence
import TestSupport

struct Port: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Port.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Port.init)
}

struct Line: Entity {
  let id: Int
  var port: Ref<Port>?
  static let attributes = Attributes(
    .id(\Line.id), .one("port", \.port, inverse: \.lines, onDelete: .nullify))
  static let schema = Schema(attributes, Line.init)
}

extension Port {
  var lines: Many<Port, Line> { Many(\.port) }
}

/// An object whose row a file numbers by itself, and writes again when its berth changes.
struct Ship: Entity {
  let id: String
  /// Named like what SQLite calls the number of a row.
  var rowid: Int
  var berth: Int?
  var weight: Double?
  var line: Ref<Line>?
  static let attributes = Attributes(
    .id(\Ship.id), .attribute("rowid", \.rowid), .attribute("berth", \.berth),
    .attribute("weight", \.weight), .one("line", \.line, inverse: \.ships, onDelete: .nullify))
  static let schema = Schema(attributes, Ship.init, rules: [.unique(\.berth)])
}

extension Line {
  var ships: Many<Line, Ship> { Many(\.line) }
}

/// An object whose row number on a file is its id, however large.
struct Parcel: Entity {
  let id: Int
  var label: String
  static let attributes = Attributes(.id(\Parcel.id), .attribute("label", \.label))
  static let schema = Schema(attributes, Parcel.init)
}

struct Crate: Entity {
  struct ID: CompositeID {
    var yard: String
    var place: Int
  }

  let id: ID
  var isFull: Bool
  static let attributes = Attributes(
    .id(\Crate.id, ID.init, .part("yard", \.yard), .part("place", \.place)),
    .attribute("isFull", \.isFull))
  static let schema = Schema(attributes, Crate.init)
}

extension TestStorage {
  func makeHarbour() throws -> Store {
    try makeStore(Port.self, Line.self, Ship.self, Parcel.self, Crate.self)
  }
}

/// Makes random commits to a harbour.
struct HarbourWriter {
  static let labels = ["", "label", "label of a parcel", "label of a parcel, too", "z"]
  static let numbers = [Int.min, -7, 0, 3, Int(Int32.max), Int(Int32.max) + 1, 1 << 40, Int.max]
  var random: SeededGenerator

  mutating func commit(_ store: Store) throws {
    let count = Int.random(in: 1...5, using: &random)
    do {
      try store.commit { draft in for _ in 0..<count { try write(draft) } }
    } catch let error as StoreError {
      // A berth that is taken, or a line of a port that came and went: nothing has happened.
      switch error {
      case .notUnique, .missingReference: return
      default: throw error
      }
    }
  }

  private mutating func write(_ draft: borrowing Draft) throws {
    let ship = "ship \(Int.random(in: 0..<6, using: &random))"
    let line = Int.random(in: 0..<3, using: &random)
    let berth = Bool.random(using: &random) ? nil : Int.random(in: 0..<20, using: &random)
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1:
      let port = Int.random(in: 0..<3, using: &random)
      let label = Self.labels.randomElement(using: &random) ?? ""
      try draft.upsert(Port(id: port, name: label))
      try draft.upsert(Line(id: line, port: Ref(port)))
    case 2:
      if try draft.find(Port.self, line) != nil { try draft.delete(Port.self, line) }
    case 3:
      if try draft.find(Line.self, line) != nil { try draft.delete(Line.self, line) }
    case 4, 5:
      if try draft.find(Ship.self, ship) != nil { try draft.delete(Ship.self, ship) }
    case 6:
      if try draft.find(Ship.self, ship) != nil {
        try draft.update(Ship.self, ship) { $0.berth = berth }
      }
    case 7, 8, 9:
      let exists = try draft.find(Line.self, line) != nil
      try draft.upsert(
        Ship(
          id: ship, rowid: Int.random(in: -2...2, using: &random), berth: berth,
          weight: Bool.random(using: &random) ? nil : Double.random(in: -1...1, using: &random),
          line: exists ? Ref(line) : nil))
    case 10, 11:
      let id = Self.numbers.randomElement(using: &random) ?? 0
      if try draft.find(Parcel.self, id) != nil, Bool.random(using: &random) {
        try draft.delete(Parcel.self, id)
      } else {
        try draft.upsert(
          Parcel(id: id, label: Self.labels.randomElement(using: &random) ?? ""))
      }
    default:
      let yard = Bool.random(using: &random) ? "a yard of crates" : "a yard of others"
      let id = Crate.ID(yard: yard, place: Int.random(in: 0..<4, using: &random))
      if try draft.find(Crate.self, id) != nil, Bool.random(using: &random) {
        try draft.delete(Crate.self, id)
      } else {
        try draft.upsert(Crate(id: id, isFull: Bool.random(using: &random)))
      }
    }
  }
}
