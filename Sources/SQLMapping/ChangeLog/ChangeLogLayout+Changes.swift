@_spi(Storage) package import EntityStore

extension ChangeLogLayout {
  /// Returns the change of an object, or nil if the change log doesn't contain it.
  ///
  /// - Throws: ``/EntityStore/StoreError/unreadable(_:attribute:found:)``.
  package func change(
    of object: ChangeLogObjects.Object, to new: EntityRow?
  ) throws -> ObjectChange? {
    if object.wasAbsent { return ObjectChange(id: object.id, old: nil, new: new) }
    var values: [StoredValue] = []
    for (place, value) in zip(places, object.values) {
      // A value that no row has hasn't changed.
      guard let value = value ?? new.map({ self.value(of: $0, in: place) }) else { return nil }
      values.append(value)
    }
    return ObjectChange(id: object.id, old: try entity.row(attributes(values)), new: new)
  }
}
