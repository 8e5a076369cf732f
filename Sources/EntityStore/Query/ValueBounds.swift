/// The values between two bounds.
struct ValueBounds: Sendable {
  struct Bound: Sendable {
    let value: StoredValue
    let isIncluded: Bool
  }

  var lower: Bound?
  var upper: Bound?

  /// Returns true if a value that isn't nil is within the bounds.
  func contains(_ value: StoredValue) -> Bool {
    if let lower {
      let order = value.compare(to: lower.value)
      if order < 0 || (order == 0 && !lower.isIncluded) { return false }
    }
    if let upper {
      let order = value.compare(to: upper.value)
      if order > 0 || (order == 0 && !upper.isIncluded) { return false }
    }
    return true
  }

  mutating func narrow(_ comparison: Comparison, _ value: StoredValue) {
    switch comparison {
    case .greater, .greaterOrEqual:
      let bound = Bound(value: value, isIncluded: comparison == .greaterOrEqual)
      guard let lower else { return lower = bound }
      let order = value.compare(to: lower.value)
      if order > 0 || (order == 0 && !bound.isIncluded) { self.lower = bound }
    case .less, .lessOrEqual:
      let bound = Bound(value: value, isIncluded: comparison == .lessOrEqual)
      guard let upper else { return upper = bound }
      let order = value.compare(to: upper.value)
      if order < 0 || (order == 0 && !bound.isIncluded) { self.upper = bound }
    case .equal, .notEqual: break
    }
  }
}
