/// Costs of one side, one for each sample.
struct Samples {
  private var costs: [Double] = []

  /// No samples yet, or those given.
  init(_ costs: [Double] = []) {
    self.costs = costs
  }

  var count: Int { costs.count }

  /// Adds a sample.
  mutating func append(_ cost: Double) {
    costs.append(cost)
  }

  /// The lowest cost.
  var minimum: Double {
    precondition(!costs.isEmpty, "There is no minimum of no samples")
    return costs.reduce(.infinity, min)
  }

  /// The cost in the middle, or the mean of the two there.
  var median: Double {
    precondition(!costs.isEmpty, "There is no median of no samples")
    let sorted = costs.sorted()
    let middle = sorted.count / 2
    guard sorted.count.isMultiple(of: 2) else { return sorted[middle] }
    return (sorted[middle - 1] + sorted[middle]) / 2
  }
}
