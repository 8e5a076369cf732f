internal import Locking

/// An id of several parts.
///
///     struct Seat: Entity {
///       struct ID: CompositeID {
///         var train: Int
///         var number: Int
///       }
///       let id: ID
///       var isWindow: Bool
///       static let attributes = Attributes(
///         .id(\Seat.id, ID.init, .part("train", \.train), .part("number", \.number)),
///         .attribute("isWindow", \.isWindow))
///       static let schema = Schema(attributes, Seat.init)
///     }
///
/// Each part has its own column. Objects are ordered by the first part, then by the second, and so
/// on. Queries read parts: `$0.id.train == 3`. A part has no former names, so renaming one needs a
/// `Migration`.
public protocol CompositeID: Hashable, Sendable {}

extension Attribute where Value: CompositeID {
  /// Returns the attribute of the object's id, which has several parts.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - make: the id's initialiser.
  ///   - parts: the id's parts, in the order of the initialiser's parameters.
  /// - Returns: the attribute.
  /// - Precondition: the parts have different names and properties. They are never nil, have no
  ///   parts themselves and aren't references: a reference is an attribute beside the id.
  @inlinable public static func id<each Part: Storable>(
    _ path: KeyPath<Root, Value>, _ make: @escaping @Sendable (repeat each Part) -> Value,
    _ parts: repeat IDPart<Value, each Part>
  ) -> Attribute where Value == Root.ID {
    var erased: [ErasedIDPart<Value>] = []
    for part in repeat each parts { erased.append(part.erased) }
    return Attribute(path, erased) { values in
      var reader = PartReader(values: values)
      return make(repeat try reader.next(each parts))
    }
  }

  @usableFromInline init(
    _ path: KeyPath<Root, Value>, _ parts: [ErasedIDPart<Value>],
    load: @escaping @Sendable ([StoredValue]) throws -> Value
  ) where Value == Root.ID {
    let name = Root.entityName
    mustHold(!parts.isEmpty, "The id of \(name) has no parts; list them after its initialiser")
    var places = Column.PartPlaces()
    for (index, part) in parts.enumerated() {
      if let target = part.target {
        mistake(
          "Part \(part.part.name) of \(name)'s id is a Ref<\(target)>, which nothing would guard; make "
            + "it a \(target).ID, and declare a reference beside the id with .one")
      }
      mustHold(!part.part.name.isEmpty, "A part of \(name)'s id has an empty name")
      mustHold(
        !part.storesNil, "Part \(part.part.name) of \(name)'s id may be nil; make it required")
      mustHold(
        part.part.type != .list,
        "Part \(part.part.name) of \(name)'s id has parts itself; list each of them as one of the id"
      )
      mustHold(
        places.places.updateValue(index, forKey: part.path) == nil,
        "Two parts of \(name)'s id name one property, the second as \"\(part.part.name)\"")
    }
    let store: @Sendable (Value) -> StoredValue = { id in .list(parts.map { $0.store(id) }) }
    let decode: @Sendable (StoredValue) throws -> Value = { stored in
      guard case .list(let values) = stored, values.count == parts.count else {
        throw StoredValue.Mismatch(stored, type: Value.self)
      }
      return try load(values)
    }
    let isExact = parts.allSatisfy(\.isExact)
    part = AttributePart(
      column: Column(
        name: "id", type: .list, isOptional: false, defaultValue: nil, reference: nil,
        ownParts: parts.map(\.part), places: places),
      access: ColumnAccess(path, store: store) { again, id in
        // The value differs if its parts are swapped, or if the initialiser changes exact parts. If
        // a part's own type reads it back as another value, that is checked when the commit ends.
        guard !isExact, case .list(let again) = store(again), case .list(let parts) = store(id)
        else { return true }
        return again.sorted() == parts.sorted()
      },
      decoder: ValueDecoder<Value>(parts: parts.map(\.check), decode),
      idAccess: IdentityAccess(store: store, load: decode, isExact: isExact))
  }
}
