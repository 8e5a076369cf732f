public import EntityStore
public import Foundation

extension Store {
  /// The time by the clock that the store was made with.
  ///
  ///     try draft.insert(Todo(id: id, title: title, createdAt: store.now))
  ///
  /// Conditions with ``/EntityStore/Moment`` are true by the same clock. So a test that passes a
  /// clock decides both.
  public var now: Date { Date(timeIntervalSince1970: time.now) }
}
