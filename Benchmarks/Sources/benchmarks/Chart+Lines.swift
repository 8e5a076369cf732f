extension Chart {
  private typealias Place = (x: Double, y: Double)

  /// Draws a line per series over logarithmic axes.
  func drawLines(on canvas: inout Canvas) {
    let plot = Frame(left: 92, top: 92, right: 696, bottom: 378)
    let places = horizontalPlaces(in: plot)
    let axis = LogAxis(covering: series.flatMap { $0.points.map(\.cost) })

    canvas.text("Median \(unit.quantity), lower is better", x: 24, y: 54, size: 13)
    drawCostAxis(axis, in: plot, on: &canvas)
    drawSizeAxis(places, in: plot, on: &canvas)
    for (offset, series) in series.enumerated() {
      let points = series.points.map { point in
        Place(places[point.size] ?? plot.left, plot.height(axis.position(of: point.cost)))
      }
      canvas.line(points, style: offset)
      for point in points { canvas.marker(x: point.x, y: point.y, style: offset) }
    }
    drawLegend(y: 76, on: &canvas)
  }

  /// Where each size lies.
  ///
  /// Zero, which has no logarithm, takes the place of a tenth of the next size.
  private func horizontalPlaces(in plot: Frame) -> [Int: Double] {
    let smallest = Double(sizes.first { $0 > 0 } ?? 1)
    let largest = Double(sizes.last ?? 1)
    let start = sizes.first == 0 ? smallest / 10 : smallest
    let axis = LogAxis(from: start, to: max(largest, start * 1.01))
    let inset = 28.0
    let width = plot.right - plot.left - 2 * inset
    return Dictionary(
      uniqueKeysWithValues: sizes.map { size in
        (size, plot.left + inset + width * axis.position(of: max(Double(size), start)))
      })
  }

  private func drawCostAxis(_ axis: LogAxis, in plot: Frame, on canvas: inout Canvas) {
    for tick in axis.ticks {
      let y = plot.height(axis.position(of: tick))
      canvas.rule(fromX: plot.left, y: y, toX: plot.right, y: y, isStrong: false)
      let label = unit.tickText(for: tick)
      canvas.text(label, x: plot.left - 8, y: y + 4, size: 12, anchor: .end)
    }
    canvas.rule(fromX: plot.left, y: plot.top, toX: plot.left, y: plot.bottom, isStrong: true)
    let middle = (plot.top + plot.bottom) / 2
    canvas.text(unit.quantity, x: 22, y: middle, size: 13, anchor: .middle, isUpright: true)
  }

  private func drawSizeAxis(_ places: [Int: Double], in plot: Frame, on canvas: inout Canvas) {
    var end = -Double.infinity
    for size in sizes {
      guard let x = places[size] else { continue }
      canvas.rule(fromX: x, y: plot.bottom, toX: x, y: plot.bottom + 5, isStrong: true)
      let label = grouped(size)
      let halfWidth = Canvas.width(of: label, size: 12) / 2
      guard x - halfWidth > end else { continue }
      canvas.text(label, x: x, y: plot.bottom + 20, size: 12, anchor: .middle)
      end = x + halfWidth + 6
    }
    canvas.rule(fromX: plot.left, y: plot.bottom, toX: plot.right, y: plot.bottom, isStrong: true)
    let middle = (plot.left + plot.right) / 2
    canvas.text("size", x: middle, y: plot.bottom + 44, size: 13, anchor: .middle)
  }

  private func drawLegend(y: Double, on canvas: inout Canvas) {
    var x = 32.0
    for (offset, series) in series.enumerated() {
      canvas.line([(x - 8, y), (x + 16, y)], style: offset)
      canvas.marker(x: x + 4, y: y, style: offset)
      canvas.text(series.name, x: x + 24, y: y + 4, size: 13)
      x += 24 + Canvas.width(of: series.name, size: 13) + 32
    }
  }
}
