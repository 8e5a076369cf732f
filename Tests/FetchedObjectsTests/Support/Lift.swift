import EntityStore

/// A number from 0 to 9; a greater one can be stored, and not be read again.
struct Level: Storable {
  let number: Int
  static let storedType = StoredType.integer
  var storedValue: StoredValue { .integer(Int64(number)) }

  init(_ number: Int) { self.number = number }

  init(storedValue: StoredValue) throws {
    guard case .integer(let number) = storedValue, number < 10 else {
      throw StoredValue.Mismatch(storedValue, type: Self.self)
    }
    self.number = Int(number)
  }
}

struct Lift: Entity {
  let id: Int
  var level: Level
  static let attributes = Attributes(.id(\Lift.id), .attribute("level", \.level))
  static let schema = Schema(attributes, Lift.init)

  /// The error of reading a lift with a level that is too great.
  static func unreadable(_ id: Int64, level: Int64) -> StoreError {
    .unreadable(
      ObjectID(entityName: "Lift", id: .integer(id)), attribute: "level", found: .integer(level))
  }
}
