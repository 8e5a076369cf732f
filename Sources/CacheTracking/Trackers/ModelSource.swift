internal import EntityStore
internal import FetchedObjects
internal import Locking
internal import Relays

/// A model of a query, which can be paused.
protocol PausableModel: ListModel {
  func pause()
  func resume()
}

extension FetchedObjectsModel: PausableModel {}
extension IndexedObjectsModel: PausableModel {}

/// A model as a source for a publisher.
final class ModelSource<Model: PausableModel, List: TrackedList>: ListSource {
  private let model: Model
  private let list: @Sendable (ListSnapshot<Model.Row>) -> List
  /// The observer, which the model doesn't keep, and the subscription to errors.
  private let held = Locked<[any Sendable]>([])

  /// Creates a source that sends the events of a model to a publisher.
  ///
  /// The publisher has to follow this source afterwards. The model has one event for each commit,
  /// in the publisher's delivery context.
  ///
  /// An external commit that the model already includes is merged, so the caller must hold no lock.
  init<Tag: Sendable>(
    _ model: Model, in store: Store, publisher: ListPublisher<List, Tag>,
    errors: Relay<any Error>, list: @escaping @Sendable (ListSnapshot<Model.Row>) -> List
  ) throws {
    self.model = model
    self.list = list
    let observer = ShownEventObserver<Model.Row>(
      showing: { [weak self, weak publisher] event in
        guard let self else { return }
        publisher?.show(self.list(event.after), of: self, from: self.list(event.before)) {
          event.changes
        }
      }, notifying: { [weak publisher] in publisher?.publish() })
    let token = model.errors.subscribe { [weak errors] in errors?.send($0) }
    held.withLock { $0 = [observer, token] }
    model.add(observer)
    // Otherwise the publisher's first step would show an external commit before other subscribers
    // see it (F13).
    try store.mergingAhead { try $0(model.shown.version) }
  }

  var shown: List { list(model.shown) }

  var pausesItself: Bool { true }

  /// An index-only list reads objects by the paths that its model shows, so the model is paused.
  ///
  /// It also has the net changes when it resumes.
  func pause() { model.pause() }

  func resume() { model.resume() }
}
