internal import Locking

/// A moment that moves with time, for the conditions of a query.
///
///     query.filter { $0.departsAt < .now(adding: .seconds(3600)) }
///
/// A condition compares an attribute that is a date with a moment, by `<`, `<=`, `>` or `>=`. It is
/// true by the clock of the store (``TimeSource``). A date that is nil is neither before nor after.
public struct Moment: Hashable, Sendable {
  /// The seconds from now to the moment.
  @_spi(Storage) public let secondsFromNow: Double

  /// The present moment.
  public static let now = Moment(secondsFromNow: 0)

  /// Returns the moment that is a duration after now, or before it if the duration is negative.
  ///
  /// - Precondition: it is less than a million years away.
  public static func now(adding duration: Duration) -> Moment {
    let seconds = duration.inSeconds
    mustHold(
      abs(seconds) < 3.2e13,
      "A moment \(duration) from now is beyond all dates; use less than a million years")
    return Moment(secondsFromNow: seconds)
  }
}

extension Moment: CustomStringConvertible {
  /// The moment in the form of Swift, such as `.now(adding: .seconds(60.0))`.
  public var description: String {
    secondsFromNow == 0 ? ".now" : ".now(adding: .seconds(\(secondsFromNow)))"
  }
}

extension Duration {
  var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}

extension Field {
  /// Returns the condition that the attribute comes before or after a moment; false for nil.
  ///
  /// The attribute's stored form is the number of seconds since 1970.
  ///
  /// - Precondition: the field is an attribute, of the object or of one that it refers to.
  package func compared(_ comparison: Comparison, _ moment: Moment) -> Condition<Root> {
    guard case .attribute(let path) = expression, path.part == nil,
      path.target.columns[path.column].type == .real
    else {
      mistake(
        "\(expression) is compared with a moment; compare an attribute that is a date itself, "
          + "since only its values tell when the condition changes")
    }
    return Condition(.moment(comparison, path, moment))
  }
}
