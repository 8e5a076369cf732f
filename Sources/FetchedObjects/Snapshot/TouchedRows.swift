/// The rows that may differ between two values.
protocol TouchedRows: Sendable {
  /// Adds what may differ by a later step.
  mutating func formUnion(_ later: Self)
}
