import DeparturesModel

/// The passing of the board's time, as the user has set it.
@MainActor final class Playback: CustomStringConvertible {
  /// The number of minutes of board time per second.
  private(set) var speed: Double
  var isPaused = false
  /// The board's time, also between the commits, or nil before it runs.
  private(set) var minute: Minute?
  /// The part of a minute that has passed.
  private var part = 0.0
  var isOver = false

  private static let speeds = 0.25...4096.0

  init(speed: Double) { self.speed = speed }

  /// Changes the speed by a factor.
  func change(by factor: Double) {
    // An option may have set a speed beyond these bounds. The factor may then bring it closer to
    // them.
    speed = max(
      min(Self.speeds.lowerBound, speed), min(speed * factor, max(Self.speeds.upperBound, speed)))
  }

  /// Advances the time, unless it is paused.
  ///
  /// - Parameters:
  ///   - seconds: The real time that has passed.
  ///   - first: The board's time at the start.
  ///   - last: The board's time at the end.
  func advance(by seconds: Double, from first: Minute, until last: Minute) {
    let minute = self.minute ?? first
    self.minute = minute
    guard !isPaused else { return }
    part += seconds * speed
    let whole = Int(part)
    part -= Double(whole)
    self.minute = min(minute + whole, max(minute, last))
  }

  /// Begins at a minute, up to which all has been committed.
  func begin(at minute: Minute) { self.minute = minute }

  /// Goes back to a minute that isn't over yet.
  func wait(at minute: Minute) { self.minute = minute }

  var description: String {
    if isOver { return "the end" }
    if isPaused { return "paused" }
    let number = speed == speed.rounded() ? "\(Int(speed))" : "\(speed)"
    return "\(number) min/s"
  }
}
