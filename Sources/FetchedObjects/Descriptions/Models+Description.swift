internal import EntityStore
internal import Locking

// What a model shows, in one line, for logs and debuggers. Reading it isn't noted by Observation: a line in a log must
// not refresh the view that wrote it.

extension FetchedObjectsModel: CustomStringConvertible {
  /// What is shown: `FetchedObjectsModel of Car at version 7: "Ann" [1, 2], "Bob" [3]`; of a long result the first
  /// twenty.
  public var description: String { "FetchedObjectsModel of \(shown)" }
}

extension FetchedObjectsModel: CustomReflectable {
  /// The query and what is shown, for `dump` and debuggers.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["query": currentQuery.withLock { $0 }, "snapshot": shown],
      displayStyle: .class)
  }
}

extension DerivedModel: CustomStringConvertible {
  /// What is shown: `DerivedModel of CarTitle at version 7: "Ann" [1, 2], "Bob" [3]`; of a long list the first twenty.
  public var description: String { "DerivedModel of \(Row.self) at \(shown)" }
}

extension DerivedModel: CustomReflectable {
  /// What is shown, for `dump` and debuggers.
  public var customMirror: Mirror {
    Mirror(self, children: ["snapshot": shown], displayStyle: .class)
  }
}

extension IndexedObjectsModel: CustomStringConvertible {
  /// How many rows there are: `IndexedObjectsModel of Car at version 7: 3 rows in sections of [2, 1]`.
  public var description: String {
    "IndexedObjectsModel of \(E.entityName.harmless) at \(snapshot)"
  }
}

extension IndexedObjectsModel: CustomReflectable {
  /// How many rows there are, for `dump` and debuggers.
  public var customMirror: Mirror {
    Mirror(self, children: ["snapshot": snapshot], displayStyle: .class)
  }
}

// Not `CustomStringConvertible`: an attribute may be named `description`, and is read through the object.
extension ObservedEntity: CustomDebugStringConvertible {
  /// The object as it is shown, as in `ObservedEntity of Car(id: 1, model: "Volvo")`; one that isn't there is named,
  /// as in `ObservedEntity of Car(1), absent`.
  public var debugDescription: String {
    let (state, view) = shownUnnoted
    let object = view.map { "\($0)" } ?? ObjectID(E.self, id).brief
    return "ObservedEntity of \(object)" + (state == .live ? "" : ", \(state)")
  }
}

extension ObservedEntity: CustomReflectable {
  /// The id, what is shown, and whether it is there, for `dump` and debuggers.
  public var customMirror: Mirror {
    let (state, view) = shownUnnoted
    return Mirror(
      self, children: ["id": id, "state": state, "view": view as Any], displayStyle: .class)
  }
}
