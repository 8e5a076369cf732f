// The layer stands on no other, so it has these itself.

/// Stops the program with a sentence about a caller's mistake.
///
/// The sentence is printed in a release build, too, where `preconditionFailure` only traps.
@inline(never) @usableFromInline
package func _mistake(
  _ sentence: String, file: StaticString = #fileID, line: UInt = #line
) -> Never { fatalError(sentence, file: file, line: line) }

/// Stops the program with a sentence about a caller's mistake unless a condition holds.
///
/// The sentence is made only then, and is printed in a release build, too.
@inlinable @inline(__always)
package func _mustHold(
  _ condition: Bool, _ sentence: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) { if !condition { _mistake(sentence(), file: file, line: line) } }
