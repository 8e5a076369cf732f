/// Traps with a message about a caller's mistake.
///
/// The message is also printed in a release build, where `preconditionFailure` only traps.
@inline(never) @usableFromInline
package func mistake(
  _ sentence: String, file: StaticString = #fileID, line: UInt = #line
) -> Never { fatalError(sentence, file: file, line: line) }

/// Traps with a message about a caller's mistake unless a condition holds.
///
///     mustHold(count >= 0, "A limit of \(count) objects; use 0 or more")
///
/// The message is made only when it is needed. It is also printed in a release build.
@inlinable @inline(__always)
package func mustHold(
  _ condition: Bool, _ sentence: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) { if !condition { mistake(sentence(), file: file, line: line) } }
