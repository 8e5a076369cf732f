extension Chart {
  /// Draws a bar per series from zero, for a group with one size.
  func drawBars(on canvas: inout Canvas) {
    let size = sizes.first.map { ", size \(grouped($0))" } ?? ""
    canvas.text("Median \(unit.quantity)\(size), lower is better", x: 24, y: 54, size: 13)
    let left = 24.0
    let longest = 560.0
    let highest = series.flatMap { $0.points.map(\.cost) }.reduce(0, max)
    for (offset, series) in series.enumerated() {
      let cost = series.points.first?.cost ?? 0
      let width = highest > 0 ? longest * cost / highest : 0
      let top = 84.0 + 56 * Double(offset)
      canvas.text(series.name, x: left, y: top, size: 13)
      canvas.bar(x: left, y: top + 8, width: width, height: 22, style: offset)
      canvas.text(unit.text(for: cost), x: left + width + 8, y: top + 24, size: 13)
    }
  }
}
