/// How the board's time goes by, as people have set it.
@MainActor final class Playback: CustomStringConvertible {
  /// Minutes of board time in a second.
  private(set) var speed: Double
  var isPaused = false
  /// The board's time, between the commits too; nil before it runs.
  private(set) var minute: Minute?
  /// The part of a minute that has gone by.
  private var part = 0.0
  var isOver = false

  private static let speeds = 0.25...4096.0

  init(speed: Double) { self.speed = speed }

  /// Goes faster or slower, by a factor.
  func change(by factor: Double) {
    // A speed beyond was asked for by option; then this may lead back.
    speed = max(
      min(Self.speeds.lowerBound, speed), min(speed * factor, max(Self.speeds.upperBound, speed)))
  }

  /// Lets time go by, unless it is paused.
  ///
  /// - Parameters:
  ///   - seconds: how much has gone by in the room.
  ///   - first: the board's time at the start.
  ///   - last: where it ends.
  func advance(by seconds: Double, from first: Minute, until last: Minute) {
    let minute = self.minute ?? first
    self.minute = minute
    guard !isPaused else { return }
    part += seconds * speed
    let whole = Int(part)
    part -= Double(whole)
    self.minute = min(minute + whole, max(minute, last))
  }

  /// Goes back to a minute that isn't over yet.
  func wait(at minute: Minute) { self.minute = minute }

  var description: String {
    if isOver { return "the end" }
    if isPaused { return "paused" }
    let number = speed == speed.rounded() ? "\(Int(speed))" : "\(speed)"
    return "\(number) min/s"
  }
}
