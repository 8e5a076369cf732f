import Foundation
public import Testing

/// Runs `body` for every value, and names the value in each issue found on the way.
///
///     withEvery("old", in: subsets(of: [0, 1, 2])) { old in
///       expectEqual(old.sorted(), old)
///     }
///
/// It nests; an issue then names the value of each level. After ten issues all levels stop, since the
/// first ones tell enough.
public func withEvery<Values: Sequence>(
  _ label: String, in values: Values, do body: (Values.Element) throws -> Void
) rethrows where Values.Element: Sendable {
  let trace = Trace.current ?? Trace()
  for value in values where trace.issues.count < 10 {
    let next = trace.adding { "\(label): \(value)" }
    try Trace.$current.withValue(next) { try body(value) }
  }
}

/// Records an issue, with the values that led to it, unless the two values are equal.
public func expectEqual<Value: Equatable>(
  _ found: Value, _ expected: Value, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard found != expected else { return }
  Trace.record("\(found) is not \(expected). \(comment())", sourceLocation)
}

/// Records an issue, with the values that led to it, unless the condition is true.
public func expectTrue(
  _ condition: Bool, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard !condition else { return }
  Trace.record("The condition is false. \(comment())", sourceLocation)
}

/// Records an issue with the values that led to it.
public func recordIssue(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
  Trace.record(text, sourceLocation)
}

/// The values of the loops around the code that runs.
private struct Trace: Sendable {
  @TaskLocal static var current: Trace?

  var entries: [@Sendable () -> String] = []
  var issues = IssueCount()

  func adding(_ entry: @escaping @Sendable () -> String) -> Trace {
    var trace = self
    trace.entries.append(entry)
    return trace
  }

  static func record(_ text: String, _ sourceLocation: SourceLocation) {
    let values = current?.entries.map { $0() } ?? []
    current?.issues.increment()
    Issue.record(
      values.isEmpty ? "\(text)" : "\(text) With \(values.joined(separator: ", "))",
      sourceLocation: sourceLocation)
  }
}

/// How many issues the loops have found.
private final class IssueCount: @unchecked Sendable {  // guarded by `lock`
  private let lock = NSLock()
  private var value = 0

  var count: Int { lock.withLock { value } }
  func increment() { lock.withLock { value += 1 } }
}
