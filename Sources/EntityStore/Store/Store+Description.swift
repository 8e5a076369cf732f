extension Store: CustomStringConvertible {
  /// The last version that the store knows of, and its entities, in one line.
  ///
  /// Nothing is read.
  ///
  /// For example `Store at version 7 of Car and Person`.
  public var description: String { "Store at version \(merged.value) of \(entityNames)" }

  /// The names of the entities in their order, at most ten.
  fileprivate var entityNames: String {
    entities.map(\.name).sorted { TextBytes.compare($0, $1) < 0 }.listed(atMost: 10)
  }
}

extension Store: CustomReflectable {
  /// The version and the entities, for `dump` and debuggers.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "version": merged.value,
        "entities": entities.sorted { TextBytes.compare($0.name, $1.name) < 0 },
      ], displayStyle: .class)
  }
}

extension Store.Snapshot: CustomStringConvertible {
  /// The version and the entities: `Store.Snapshot at version 7 of Car and Person`.
  public var description: String { "Store.Snapshot at version \(version) of \(store.entityNames)" }
}

extension Store.Snapshot: CustomReflectable {
  /// The version alone, for `dump` and debuggers.
  public var customMirror: Mirror {
    Mirror(self, children: ["version": version], displayStyle: .struct)
  }
}
