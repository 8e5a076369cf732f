/// One of the two things a benchmark compares: a name, and how to set it up.
///
/// Set-up runs only if the benchmark runs, and its result is freed when the benchmark is done.
/// What the returned closure captures is the state that lives in between.
struct Side {
  /// A short name for tables and charts.
  let name: String
  let form: Form

  /// How a side is measured, with the set-up that leads to its body.
  enum Form {
    case loop(operations: Int, setUp: () throws -> (Int) throws -> Void)
    case timed(setUp: () throws -> (inout Stopwatch) throws -> Void)
    case figure(setUp: () throws -> () throws -> Double)
  }

  /// A side whose body repeats its work as often as it is told.
  ///
  /// - Parameters:
  ///   - name: The short name.
  ///   - operations: How many operations one iteration performs.
  ///   - setUp: Makes the body, which takes the number of iterations.
  /// - Returns: The side, not set up yet.
  static func loop(
    _ name: String = "Signalbox", operations: Int = 1,
    setUp: @escaping () throws -> (Int) throws -> Void
  ) -> Side {
    precondition(operations > 0, "An iteration of \"\(name)\" performs no operation")
    return Side(name: name, form: .loop(operations: operations, setUp: setUp))
  }

  /// A side that times itself, so that preparing each sample is not counted.
  ///
  /// - Parameters:
  ///   - name: The short name.
  ///   - setUp: Makes the body, which calls `measure` around what counts.
  /// - Returns: The side, not set up yet.
  static func timed(
    _ name: String = "Signalbox", setUp: @escaping () throws -> (inout Stopwatch) throws -> Void
  ) -> Side {
    Side(name: name, form: .timed(setUp: setUp))
  }

  /// A side that answers with a cost per operation in the benchmark's unit, such as bytes.
  ///
  /// - Parameters:
  ///   - name: The short name.
  ///   - setUp: Makes the body, which runs once per sample.
  /// - Returns: The side, not set up yet.
  static func figure(
    _ name: String = "Signalbox", setUp: @escaping () throws -> () throws -> Double
  ) -> Side {
    Side(name: name, form: .figure(setUp: setUp))
  }

  /// Whether the side answers with costs of its own.
  var isFigure: Bool {
    guard case .figure = form else { return false }
    return true
  }
}
