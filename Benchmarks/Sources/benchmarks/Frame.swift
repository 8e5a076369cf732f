/// The part of a picture that the axes enclose.
struct Frame {
  let left: Double
  let top: Double
  let right: Double
  let bottom: Double

  /// The height on the picture of a share of the axis, 0 being the bottom.
  func height(_ share: Double) -> Double { bottom - share * (bottom - top) }
}
