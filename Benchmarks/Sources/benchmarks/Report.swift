/// The results of a run, in order.
struct Report {
  var comparisons: [Comparison] = []
}
