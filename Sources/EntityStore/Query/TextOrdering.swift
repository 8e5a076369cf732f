/// One key of the order of a text attribute.
///
///     query.sorted { [$0.name.ascending.natural] }
///
/// As it is, text is in the order of its bytes.
public struct TextOrdering<Root: Entity>: Sendable {
  let key: SortKey

  /// As people expect names in a list: upper and lower case alike, and runs of digits by their
  /// number.
  ///
  /// Texts that are equal so far are in the order of their bytes. No language's rules apply.
  public var natural: Ordering<Root> { Ordering(key: key.collated(.natural)) }

  /// Upper and lower case alike.
  ///
  /// Texts that are equal so far are in the order of their bytes.
  public var caseInsensitive: Ordering<Root> { Ordering(key: key.collated(.caseInsensitive)) }
}
