package import EntityStore

/// A number from 0 to 9; a greater one can be stored, and not be read again.
package struct Level: Storable {
  package let number: Int
  package static let storedType = StoredType.integer
  package var storedValue: StoredValue { .integer(Int64(number)) }

  package init(_ number: Int) { self.number = number }

  package init(storedValue: StoredValue) throws {
    guard case .integer(let number) = storedValue, number < 10 else {
      throw StoredValue.Mismatch(storedValue, type: Self.self)
    }
    self.number = Int(number)
  }
}

package struct Lift: Entity {
  package let id: Int
  package var level: Level
  package static let attributes = Attributes(.id(\Lift.id), .attribute("level", \.level))
  package static let schema = Schema(attributes, Lift.init)

  package init(id: Int, level: Level) {
    self.id = id
    self.level = level
  }

  /// The error of reading a lift with a level that is too great.
  package static func unreadable(_ id: Int64, level: Int64) -> StoreError {
    .unreadable(
      ObjectID(entityName: "Lift", id: .integer(id)), attribute: "level", found: .integer(level))
  }
}
