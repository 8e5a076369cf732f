extension Ordering {
  /// One key of the order of a text attribute.
  ///
  ///     query.sorted { [$0.name.ascending.natural] }
  ///
  /// Without a collation, text is in the order of its bytes.
  public struct Text: Sendable {
    let key: SortKey

    /// The order that people expect of names in a list.
    ///
    /// Upper and lower case are alike, and runs of digits are compared by their number. Texts that
    /// are equal in this way are in the order of their bytes. No language's rules apply.
    public var natural: Ordering<Root> { Ordering(key: key.collated(.natural)) }

    /// The order with upper and lower case alike.
    ///
    /// Texts that are equal in this way are in the order of their bytes.
    public var caseInsensitive: Ordering<Root> { Ordering(key: key.collated(.caseInsensitive)) }
  }
}
