@_spi(Storage) internal import EntityStore

// This isn't `CustomStringConvertible`, because an attribute that is named `description` is read
// through the view.
extension EntityView: CustomDebugStringConvertible {
  /// The object, as its struct prints.
  ///
  /// If only a part of a related object is included, it is that part, as in `Person(id: 1, name:
  /// "Ann")`.
  public var debugDescription: String {
    if included.isRoot {
      return "\(result.row.value(as: E.self))".harmless(atMost: WordLimit.sentence)
    }
    let entity = E.schema.entity
    let isWhole = entity.columns.indices.allSatisfy { included.places[$0] != nil }
    if isWhole { return "\(value)".harmless(atMost: WordLimit.sentence) }
    let parts = entity.columns.indices.compactMap { column in
      included.places[column].map { place in
        "\(entity.columns[column].name): \((result.values?.all[place] ?? .null).brief)"
      }
    }
    return "\(entity.name)(\(parts.joined(separator: ", ")))"
  }
}

extension ObservedEntity.Event: CustomStringConvertible {
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
