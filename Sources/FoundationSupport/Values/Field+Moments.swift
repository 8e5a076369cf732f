@_spi(Storage) public import EntityStore
public import Foundation

// Conditions of time.
extension Field where Value == Date {
  /// Returns the condition that the date comes before a moment; false for nil.
  ///
  ///     query.filter { $0.departsAt < .now(adding: .minutes(5)) }
  ///
  /// A model shows the object from the instant on at which it becomes true.
  ///
  /// - Precondition: the field is an attribute, of the object or of one that it refers to.
  public static func < (field: Field, moment: Moment) -> Condition<Root> {
    field.compared(.less, moment)
  }

  /// Returns the condition that the date comes before a moment or is that moment; false for nil.
  ///
  /// - Precondition: the field is an attribute, of the object or of one that it refers to.
  public static func <= (field: Field, moment: Moment) -> Condition<Root> {
    field.compared(.lessOrEqual, moment)
  }

  /// Returns the condition that the date comes after a moment; false for nil.
  ///
  /// - Precondition: the field is an attribute, of the object or of one that it refers to.
  public static func > (field: Field, moment: Moment) -> Condition<Root> {
    field.compared(.greater, moment)
  }

  /// Returns the condition that the date comes after a moment or is that moment; false for nil.
  ///
  /// - Precondition: the field is an attribute, of the object or of one that it refers to.
  public static func >= (field: Field, moment: Moment) -> Condition<Root> {
    field.compared(.greaterOrEqual, moment)
  }
}

extension TimeSource {
  /// Creates a time source that moves with a clock.
  ///
  ///     let time = TimeSource(ManualClock(), startingAt: Date(timeIntervalSince1970: 0))
  ///
  /// - Parameters:
  ///   - clock: the clock.
  ///   - date: the time that it is now.
  public init<C: Clock>(_ clock: C, startingAt date: Date) where C.Duration == Duration {
    self.init(clock, secondsSince1970: date.timeIntervalSince1970)
  }
}

extension Duration {
  /// Returns a number of minutes.
  ///
  ///     .now(adding: .minutes(5))
  ///
  /// It is some 292 billion years if it would be longer than that.
  public static func minutes(_ minutes: Int) -> Duration { seconds(minutes, each: 60) }

  /// Returns a number of hours, of 60 minutes each.
  ///
  /// It is some 292 billion years if it would be longer than that.
  public static func hours(_ hours: Int) -> Duration { seconds(hours, each: 3600) }

  private static func seconds(_ count: Int, each seconds: Int64) -> Duration {
    let (product, isTooLong) = Int64(count).multipliedReportingOverflow(by: seconds)
    return .seconds(isTooLong ? count < 0 ? Int64.min : .max : product)
  }
}
