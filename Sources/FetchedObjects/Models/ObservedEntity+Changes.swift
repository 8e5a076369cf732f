public import EntityStore
public import Relays

extension ObservedEntity {
  /// The changes of one attribute.
  ///
  ///     let token = car.changes(of: \.year).subscribe { print($0.old ?? 0, "→", $0.new) }
  ///
  /// It fires only where the stored form of the attribute differs from the one shown before, in the
  /// object's place and after its `didChange` has been told to those who subscribed earlier. A
  /// deletion changes no value; where the id comes back with another one, that is a change from the
  /// last. Where the attribute is optional, `old ?? nil` is the value or nil.
  ///
  /// - Returns: a signal that does nothing until it is subscribed to.
  public func changes<Value: Storable>(
    of path: any KeyPath<E, Value> & Sendable
  ) -> Signal<ValueChange<Value>> {
    // A property that isn't stored is compared by what it gives.
    guard let column = E.schema.entity.columnIfListed(path) else {
      return changes { $0.result.row[path] }
    }
    return didChange.compactMap { event in
      let new = event.after.result.row
      guard let old = event.before?.result.row else {
        return ValueChange(old: nil, new: new[path])
      }
      if old.isEqual(to: new, at: column) { return nil }
      return ValueChange(old: old[path], new: new[path])
    }
  }

  /// The changes of what `read` makes of the object and what is included with it.
  ///
  ///     let token = car.changes { $0.owner?.name }.subscribe { print($0.new ?? "nobody") }
  ///
  /// It fires only where the stored form of that differs from the one before.
  ///
  /// - Parameter read: reads attributes and included values. It is called where the object is
  ///   delivered, for each event, and once at once if there is a value.
  /// - Returns: a signal that does nothing until it is subscribed to.
  /// - Precondition: `read` steps only through references that are included.
  public func changes<Value: Storable>(
    _ read: @escaping @Sendable (EntityView<E>) -> Value
  ) -> Signal<ValueChange<Value>> {
    // What isn't included stops the program here, and not in some later commit.
    if let view = viewIfKnown { _ = read(view) }
    return didChange.compactMap { event in
      let new = read(event.after)
      guard let before = event.before else { return ValueChange(old: nil, new: new) }
      let old = read(before)
      return old.storedValue == new.storedValue ? nil : ValueChange(old: old, new: new)
    }
  }
}
