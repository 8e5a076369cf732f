@_spi(Inspection) @_spi(Storage) import EntityStore
import FetchedObjects
import Locking
import SQLitePersistence
import TestSupport
import Testing

/// A number that counts how often it is read from a file.
private struct CountedNumber: Storable, Hashable {
  static let reads = AtomicWord(0)
  let number: Int64

  static var storedType: StoredType { .integer }

  var storedValue: StoredValue { .integer(number) }

  init(_ number: Int) { self.number = Int64(number) }

  init(storedValue: StoredValue) throws {
    guard case .integer(let number) = storedValue else {
      throw StoredValue.Mismatch(storedValue, type: Self.self)
    }
    Self.reads.add(1)
    self.number = number
  }
}

private struct Piece: Entity {
  let id: Int
  var number: CountedNumber
  var owner: Ref<Person>?
  static let attributes = Attributes(
    .id(\Piece.id), .attribute("number", \.number),
    .one("owner", \.owner, inverse: \.pieces, onDelete: .nullify))
  static let schema = Schema(attributes, Piece.init)
}

extension Person {
  fileprivate var pieces: Many<Person, Piece> { Many(\.owner) }
}

/// SQLite would make a value of an owner's objects again for each row that refers to the owner.
@Suite struct `A value that rows of one owner share, in a file` {
  @Test func `S7: it is left out of SQL, and its order, too, unless there is a limit`() throws {
    let store = try openGarage(temporaryPath())
    let query = Query<Car>()
      .filter {
        $0.owner.cars.count > 1
        $0.id > 7
      }
      .sorted { [$0.owner.cars.max { $0.model }.ascending] }
    let plan = try query.plan(in: store)
    #expect(plan.parameters == [.integer(7)], "\(plan)")
    #expect(plan.conditionsHere.count == 1 && plan.orderHere != nil, "\(plan)")
    let limited = try query.limit(5).plan(in: store)
    #expect(limited.conditionsHere.count == 1 && limited.orderHere == nil, "\(limited)")
    #expect(limited.statement.contains("MAX("), "\(limited)")
    // One row needs one value.
    let one = Query<Car>().filter {
      $0.owner.cars.count > 1
      $0.id == 7
    }
    #expect(try one.plan(in: store).isWhollySaid)
    // Each row is an owner of its own.
    let own = Query<Person>().filter { $0.cars.count > 1 }
    #expect(try own.plan(in: store).isWhollySaid)
  }

  @Test func `F5: it is made once for a whole first result`() throws {
    let store = try Store(
      .sqlite(path: temporaryPath(), durability: .normal, watching: .none),
      entities: [Person.self, Piece.self])
    let count = 500
    try store.commit { draft in
      try draft.insert(Person(id: "ann", name: "Ann"))
      try draft.insert(
        contentsOf: (0..<count).map {
          Piece(id: $0, number: CountedNumber($0), owner: Ref("ann"))
        })
    }
    let start = CountedNumber.reads.load()
    let list = try FetchedObjectsModel(
      Query<Piece>()
        .filter { $0.owner.pieces.max { $0.number } != nil }
        .sorted { [$0.owner.pieces.min { $0.number }.ascending, $0.id.descending] }
        .including { $0.owner.pieces.max { $0.number } }, in: store)
    #expect(list.count == count)
    #expect(list.snapshot.rows.first?.id == count - 1)
    #expect(list.snapshot.rows.first?.owner?.pieces.max { $0.number } == CountedNumber(count - 1))
    // Made for each piece again, these would be hundreds of thousands.
    #expect(CountedNumber.reads.load() - start < 20 * count)
  }
}
