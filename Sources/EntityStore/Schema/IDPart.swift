/// One part of a composite id.
///
///     .id(\Seat.id, Seat.ID.init, .part("train", \.train), .part("number", \.number))
public struct IDPart<ID: CompositeID, Value: Storable>: Sendable {
  @usableFromInline let erased: ErasedIDPart<ID>

  /// Returns a part with the name of a column and a property of the id.
  ///
  /// The parts have the order of the id's initialiser. Renaming one needs a `Migration`.
  public static func part(_ name: String, _ path: KeyPath<ID, Value>) -> IDPart {
    IDPart(
      erased: ErasedIDPart(
        part: Column.Part(name: name, type: Value.storedType), storesNil: Value.storesNil,
        isExact: Value.self is any StoredExactly.Type, path: path,
        target: (Value.self as? any AnyReference.Type)?.targetName,
        store: { $0[keyPath: path].storedValue }, check: { _ = try Value(storedValue: $0) }))
  }

  @inlinable func load(_ value: StoredValue) throws -> Value { try Value(storedValue: value) }
}
