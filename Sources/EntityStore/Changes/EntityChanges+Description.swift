extension EntityChanges: CustomStringConvertible {
  /// The inserted, updated and deleted objects in one line, at most ten of each.
  ///
  /// For example `Car in version 7: inserted Car(1); updated Car(2) (year, owner)`.
  public var description: String {
    let parts = [
      ("inserted", inserted.map { ObjectID($0).brief }),
      ("updated", updated.map(\.description)),
      ("deleted", deleted.map { ObjectID($0).brief }),
    ].filter { !$0.1.isEmpty }.map { "\($0) \($1.listed(atMost: 10))" }
    let changes = parts.isEmpty ? "no change" : parts.joined(separator: "; ")
    return "\(E.entityName) in version \(version): \(changes)"
  }
}

extension EntityChanges.Update: CustomStringConvertible {
  /// The object's name and the attributes that differ: `Car(2) (year, owner)`.
  public var description: String {
    "\(ObjectID(new).brief) (\(attributes.joined(separator: ", ")))"
  }
}
