/// The content of a section between two passes.
enum PassSection: Hashable, Sendable {
  /// A section of the old list, or its header alone.
  case old(Int, hasRows: Bool)

  /// A section of the new list, or its header alone.
  case new(Int, hasRows: Bool)
}
