internal import EntityStore
internal import Locking

// These are descriptions of models in one line, for logs and debuggers. Observation doesn't note
// the reads, because a logged line must not refresh the view that logged it.

extension FetchedObjectsModel: CustomStringConvertible {
  /// The shown result, as in `FetchedObjectsModel of Car at version 7: "Ann" [1, 2], "Bob" [3]`.
  ///
  /// Of a long result, it has the first twenty rows.
  public var description: String { "FetchedObjectsModel of \(E.entityName.harmless) at \(shown)" }
}

extension FetchedObjectsModel: CustomReflectable {
  /// The query and the shown result, for `dump` and debuggers.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["query": requests.query, "snapshot": shown],
      displayStyle: .class)
  }
}

extension DerivedModel: CustomStringConvertible {
  /// The shown list, as in `DerivedModel of CarTitle at version 7: "Ann" [1, 2], "Bob" [3]`.
  ///
  /// Of a long list, it has the first twenty rows.
  public var description: String { "DerivedModel of \(Row.self) at \(shown)" }
}

extension DerivedModel: CustomReflectable {
  /// The shown list, for `dump` and debuggers.
  public var customMirror: Mirror {
    Mirror(self, children: ["snapshot": shown], displayStyle: .class)
  }
}

extension IndexedObjectsModel: CustomStringConvertible {
  /// The row numbers, as in `IndexedObjectsModel of Car at version 7: "Ann" [#1, #2], "Bob" [#3]`.
  ///
  /// Of a long list, it has the first twenty rows.
  public var description: String {
    "IndexedObjectsModel of \(E.entityName.harmless) at \(shown)"
  }
}

extension IndexedObjectsModel: CustomReflectable {
  /// The shown list, for `dump` and debuggers.
  public var customMirror: Mirror {
    Mirror(self, children: ["snapshot": shown], displayStyle: .class)
  }
}

// This isn't `CustomStringConvertible`, because an attribute that is named `description` is read
// through the object.
extension ObservedEntity: CustomDebugStringConvertible {
  /// The shown object, as in `ObservedEntity of Car(id: 1, model: "Volvo")`.
  ///
  /// If the object doesn't exist, it is the name of the object, as in `ObservedEntity of Car(1),
  /// absent`.
  public var debugDescription: String {
    let (state, view) = shownUnnoted
    let object = view.map { "\($0)" } ?? ObjectID(E.self, id).brief
    return "ObservedEntity of \(object)" + (state == .live ? "" : ", \(state)")
  }
}

extension ObservedEntity: CustomReflectable {
  /// The id, the state and the shown object, for `dump` and debuggers.
  public var customMirror: Mirror {
    let (state, view) = shownUnnoted
    return Mirror(
      self, children: ["id": id, "state": state, "view": view as Any], displayStyle: .class)
  }
}
