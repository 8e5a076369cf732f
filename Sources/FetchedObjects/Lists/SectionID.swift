public import EntityStore

/// A value that distinguishes a section from all others of its list, whatever its position and
/// title.
///
///     ForEach(cars.sectionIDs, id: \.self) { id in OwnerView(cars, id) }
///     cars.section(for: SectionID("Ann"))?.count
public struct SectionID: Hashable, Sendable {
  /// The stored value that the section's rows share, or null in a list without sections.
  public let identity: StoredValue

  /// The part of a concatenated list that the section is in.
  ///
  /// If parts have parts, the outermost is first.
  ///
  /// It is empty if the list isn't concatenated.
  public let parts: [Int]

  /// Creates the id of the section whose rows share a stored value.
  public init(identity: StoredValue, parts: [Int] = []) {
    self.identity = identity
    self.parts = parts
  }

  /// Creates the id of the section whose rows share a value.
  public init(_ value: some Storable, parts: [Int] = []) {
    self.init(identity: value.storedValue, parts: parts)
  }
}

extension SectionID {
  /// Returns the value that the section's rows share, or nil if there is none or it has another
  /// type.
  ///
  ///     for month in months.rows { print(month.id.value(as: Date.self) ?? .distantPast) }
  public func value<Value: Storable>(as type: Value.Type) -> Value? {
    identity.isNull ? nil : try? Value(storedValue: identity)
  }
}

extension WindowedResult {
  /// Returns the position of a section, or nil if none of its rows is shown.
  func section(_ id: SectionID) -> Int? {
    guard id.parts.isEmpty else { return nil }
    // If sections are ordered by their identities, the tree can be searched.
    if plan.sectionOrder.count == 1 {
      return section(SectionKey(order: [id.identity], title: ""))
    }
    return (0..<sectionCount).first { key(ofSection: $0).identity == id.identity }
  }
}
