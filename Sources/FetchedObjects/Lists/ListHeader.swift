/// The header of a section of any list in this module.
struct ListHeader: Sendable, Hashable {
  var key: SectionKey
  /// True if the section exists even without rows, because it is the only section of a list without
  /// sections.
  var staysWhenEmpty: Bool
  /// The part of a concatenated list that the section is in.
  ///
  /// If parts have parts, the outermost is first.
  var parts: [Int] = []

  var id: SectionID { SectionID(identity: key.identity, parts: parts) }
}
