/// The rows that may differ between two values.
protocol TouchedRows: Sendable {
  mutating func formUnion(_ later: Self)
}
