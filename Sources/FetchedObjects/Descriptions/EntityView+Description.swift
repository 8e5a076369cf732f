internal import EntityStore

// Not `CustomStringConvertible`: an attribute may be named `description`, and is read through the view.
extension EntityView: CustomDebugStringConvertible {
  /// The object, as its struct prints; of a related object of which only a part is included, that part, as in
  /// `Person(id: 1, name: "Ann")`.
  public var debugDescription: String {
    if included.isRoot { return "\(result.row.value(as: E.self))".harmless }
    let entity = E.schema.entity
    let isWhole = entity.columns.indices.allSatisfy { included.places[$0] != nil }
    if isWhole { return "\(value)".harmless }
    let parts = entity.columns.indices.compactMap { column in
      included.places[column].map { place in
        "\(entity.columns[column].name): \(Self.words(for: result.values?.all[place] ?? .null))"
      }
    }
    return "\(entity.name)(\(parts.joined(separator: ", ")))"
  }

  private static func words(for value: StoredValue) -> String {
    if case .text = value { value.brief } else { "\(value)" }
  }
}

extension ObservedEntityEvent: CustomStringConvertible {
  /// The versions and the object before and after, as in `version 7: Car(…) → Car(…)`.
  public var description: String {
    let before =
      switch stateBefore {
      case .live: before.map { "\($0)" } ?? "absent"
      case .deleted: "deleted"
      case .absent: "absent"
      }
    return "\(describe(versions)): \(before) → \(isDeleted ? "deleted" : "\(after)")"
  }
}
