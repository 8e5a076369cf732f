/// One part of a composite id.
public struct IDPart<ID: CompositeID, Value: Storable>: Sendable {
  @usableFromInline let erased: ErasedIDPart<ID>

  /// A part: a column's name, and the property of the id.
  ///
  /// The parts stand in the order of the id's initialiser. Renaming one needs a `Migration`.
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
