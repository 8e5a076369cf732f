public import EntityStore

/// What tells a section from all others of its list, whatever its position and title are.
///
///     ForEach(cars.sectionIDs, id: \.self) { id in OwnerView(cars, id) }
///     cars.section(for: SectionID("Ann"))?.count
public struct SectionID: Hashable, Sendable {
  /// The value that the section's rows share, as it is stored; null in a list without sections.
  public let identity: StoredValue

  /// Which part of a concatenated list the section is in; if parts have parts, outermost first.
  ///
  /// Empty if the list isn't concatenated.
  public let parts: [Int]

  /// The section of the rows that share a stored value.
  public init(identity: StoredValue, parts: [Int] = []) {
    self.identity = identity
    self.parts = parts
  }

  /// The section of the rows that share a value.
  public init(_ value: some Storable, parts: [Int] = []) {
    self.init(identity: value.storedValue, parts: parts)
  }
}
