/// The rows that may differ between two values.
protocol TouchedRows: Sendable {
  /// Adds the rows that may differ after a later step.
  mutating func formUnion(_ later: Self)
}
