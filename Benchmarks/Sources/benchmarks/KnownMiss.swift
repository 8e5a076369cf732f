/// That an aim is missed, by how much, and why.
///
/// A check compares with this ratio then, so that what is missed gets no worse unseen.
struct KnownMiss {
  let ratio: Double

  /// A phrase that stands behind the ratio and a colon.
  let reason: String

  init(_ ratio: Double, _ reason: String) {
    self.ratio = ratio
    self.reason = reason
  }
}

extension Comparison {
  /// What a ratio that is far off is over.
  var expectation: String {
    knownMiss.map { "the \($0.ratio) that is known" } ?? "its aim of \(aim ?? 0)"
  }
}
