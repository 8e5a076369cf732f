// This module has no dependencies, so it has its own copies of these functions.

/// Stops the program and prints a sentence about a caller's mistake.
///
/// The sentence is printed in release builds, too. There, `preconditionFailure` only traps.
@inline(never) @usableFromInline
package func _mistake(
  _ sentence: String, file: StaticString = #fileID, line: UInt = #line
) -> Never { fatalError(sentence, file: file, line: line) }

/// Stops the program and prints a sentence about a caller's mistake unless a condition holds.
///
/// The sentence is evaluated only if the condition is false. It is printed in release builds, too.
@inlinable @inline(__always)
package func _mustHold(
  _ condition: Bool, _ sentence: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) { if !condition { _mistake(sentence(), file: file, line: line) } }
