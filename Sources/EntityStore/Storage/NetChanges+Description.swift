@_spi(Storage) extension NetChanges: CustomStringConvertible {
  /// The numbers of inserted, updated and deleted objects of each entity, in one line.
  ///
  /// For example `Car: 1 updated, 2 deleted; Person: 1 inserted`. Entities are in the order of
  /// their names.
  public var description: String {
    tables.isEmpty ? "no change" : sortedTables.map(\.description).joined(separator: "; ")
  }
}

@_spi(Storage) extension TableChanges: CustomStringConvertible {
  /// The numbers of inserted, updated and deleted objects: `Car: 1 updated, 2 deleted`.
  public var description: String {
    var (inserted, updated, deleted) = (0, 0, 0)
    for change in all {
      switch (change.old, change.new) {
      case (nil, nil): break
      case (nil, _): inserted += 1
      case (_, nil): deleted += 1
      default: updated += 1
      }
    }
    let counts = [(inserted, "inserted"), (updated, "updated"), (deleted, "deleted")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(entity.name): \(counts.isEmpty ? "no change" : counts.joined(separator: ", "))"
  }
}

@_spi(Storage) extension TableChanges: CustomReflectable {
  /// The entity and the changes, without their index.
  public var customMirror: Mirror {
    Mirror(self, children: ["entity": entity, "all": Array(all)], displayStyle: .struct)
  }
}

@_spi(Storage) extension ObjectChange: CustomStringConvertible {
  /// The kind of the change, the object, and the attributes that differ.
  ///
  /// For example `updated Car(2) (year, owner)`.
  public var description: String {
    switch (old, new) {
    case (nil, let new?): "inserted \(new.objectID.brief)"
    case (let old?, nil): "deleted \(old.objectID.brief)"
    case (let old?, let new?):
      "updated \(new.objectID.brief) ("
        + new.changedColumns(from: old).map { new.entity.columns[$0].name }.joined(separator: ", ")
        + ")"
    case (nil, nil): "no change of \(id.brief)"
    }
  }
}
