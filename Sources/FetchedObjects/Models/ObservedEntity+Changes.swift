@_spi(Storage) public import EntityStore
public import Relays

extension ObservedEntity {
  /// Returns a signal of the changes of one attribute.
  ///
  ///     let token = car.changes(of: \.year).subscribe { print($0.old ?? 0, "→", $0.new) }
  ///
  /// The signal fires only if the stored form of the attribute differs from the one shown before.
  /// It fires in the object's delivery context, after `didChange` has been delivered to earlier
  /// subscribers. A deletion changes no value. If an object with the same id is inserted again with
  /// another value, that is a change from the last value. For an optional attribute, `old ?? nil`
  /// is the value or nil.
  ///
  /// - Returns: A signal that does nothing until it is subscribed to.
  public func changes<Value: Storable>(
    of path: any KeyPath<E, Value> & Sendable
  ) -> Signal<ValueChange<Value>> {
    // A property that isn't stored is compared by its value.
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

  /// Returns a signal of the changes of the value that `read` makes of the object and its included
  /// values.
  ///
  ///     let token = car.changes { $0.owner?.name }.subscribe { print($0.new ?? "nobody") }
  ///
  /// The signal fires only if the value's stored form differs from the one before.
  ///
  /// - Parameter read: Reads attributes and included values. It is called in the object's delivery
  ///   context for each event and each subscription, for the value before and the value after, and
  ///   once immediately if there is a value.
  /// - Returns: A signal that does nothing until it is subscribed to.
  /// - Precondition: `read` follows only references that are included.
  public func changes<Value: Storable>(
    _ read: @escaping @Sendable (EntityView<E>) -> Value
  ) -> Signal<ValueChange<Value>> {
    // A read of something that isn't included traps here, and not during a later commit.
    if let view = viewIfKnown { _ = read(view) }
    return didChange.compactMap { event in
      let new = read(event.after)
      guard let before = event.before else { return ValueChange(old: nil, new: new) }
      let old = read(before)
      return old.storedValue == new.storedValue ? nil : ValueChange(old: old, new: new)
    }
  }
}
