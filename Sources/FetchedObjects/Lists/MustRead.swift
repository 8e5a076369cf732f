internal import Locking

/// Returns a value that is read of a result, and traps if it can't be: its type doesn't fit what is
/// stored.
@inline(__always)
func mustRead<Value>(_ read: () throws -> Value) -> Value {
  do {
    return try read()
  } catch {
    mistake("\(error)")
  }
}
