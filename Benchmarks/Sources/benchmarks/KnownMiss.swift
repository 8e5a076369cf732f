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
  /// The words for a figure that is far off and for the figure that it exceeds.
  var farOffWords: String {
    if !hasFarRatio, let absoluteAim {
      return "\(unit.text(for: measured.median)) is over its aim of \(unit.text(for: absoluteAim))"
    }
    let expectation =
      knownMiss.map { "the \($0.ratio) that is known" } ?? "its aim of \(aim ?? 0)"
    return "a ratio of \(ResultTable.text(ofRatio: ratio)) is over \(expectation)"
  }
}
