/// What a cost is counted in.
enum CostUnit: String, CaseIterable {
  case nanoseconds = "ns/op"
  case microseconds = "us/op"
  case milliseconds = "ms/op"
  case bytes = "B/op"

  /// The nanoseconds in one of this unit, or nil if it does not count time.
  var nanoseconds: Double? {
    switch self {
    case .nanoseconds: 1
    case .microseconds: 1e3
    case .milliseconds: 1e6
    case .bytes: nil
    }
  }

  /// The words for an axis.
  var quantity: String { nanoseconds == nil ? "bytes per operation" : "time per operation" }
}
