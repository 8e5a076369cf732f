internal import EntityStore
internal import ListDiffing
internal import Locking

/// What heads a section of any list here.
struct ListHeader: Sendable, Hashable {
  var key: SectionKey
  /// Whether the section is there without rows too: it is the only one of a list without sections.
  var staysWhenEmpty: Bool
  /// Which part of a concatenated list it is in; outermost first, if parts have parts.
  var parts: [Int] = []
}
