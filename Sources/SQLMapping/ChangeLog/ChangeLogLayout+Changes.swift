@_spi(Storage) package import EntityStore

extension ChangeLogLayout {
  /// Returns the change of an object, or nil if the change log doesn't contain it.
  ///
  /// - Throws: ``/EntityStore/StoreError/unreadable(_:attribute:found:)``.
  package func change(
    of object: ChangeLogObjects.Object, to new: EntityRow?
  ) throws -> ObjectChange? {
    if object.wasAbsent { return ObjectChange(id: object.id, old: nil, new: new) }
    guard let old = try row(of: object, else: new) else { return nil }
    return ObjectChange(id: object.id, old: old, new: new)
  }

  /// Returns an object with its logged values and those that another row of it has, or nil if
  /// values are missing.
  ///
  /// - Throws: ``/EntityStore/StoreError/unreadable(_:attribute:found:)``.
  package func row(of object: ChangeLogObjects.Object, else other: EntityRow?) throws -> EntityRow?
  {
    var values: [StoredValue] = []
    for (place, value) in zip(places, object.values) {
      // A value that no row has hasn't changed.
      guard let value = value ?? other.map({ self.value(of: $0, in: place) }) else { return nil }
      values.append(value)
    }
    return try entity.row(attributes(values))
  }
}

extension ChangeLogObjects {
  /// Returns the net changes of the objects.
  ///
  /// - Parameters:
  ///   - notesRewritten: true if the rows of objects may have been deleted and inserted again.
  ///   - current: returns a function that finds an object of an entity as it is now, by its id. It
  ///     is called once for each entity, with that entity's objects.
  /// - Returns: the changes, or nil if the change log doesn't contain them or an object can't be
  ///   read.
  /// - Throws: the error that `current` throws, unless it is
  ///   ``/EntityStore/StoreError/unreadable(_:attribute:found:)``.
  package func changes(
    notesRewritten: Bool = true,
    _ current: (EntityDescription, [Object]) throws -> (StoredValue) throws -> EntityRow?
  ) throws -> NetChanges? {
    var changes: [ObjectChange] = []
    var rewritten: [(id: StoredValue, entity: EntityDescription)] = []
    do {
      for table in tables {
        let entity = table.layout.entity
        let find = try current(entity, table.objects)
        for object in table.objects {
          guard let change = try table.layout.change(of: object, to: find(object.id)) else {
            return nil
          }
          changes.append(change)
          if notesRewritten, object.isRewritten, change.new != nil {
            rewritten.append((object.id, entity))
          }
        }
      }
    } catch StoreError.unreadable {
      // A read of that object throws the error. All other reads return what can be read.
      return nil
    }
    var net = NetChanges(changes)
    for (id, entity) in rewritten { net.noteRewritten(id, entity) }
    return net
  }
}
