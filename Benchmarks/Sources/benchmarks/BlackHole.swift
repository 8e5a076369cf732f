/// Uses a value in a way the optimiser cannot see through, so that its computation stays.
@inline(__always)
func blackHole<Value>(_ value: Value) {
  withUnsafePointer(to: value) { swallow($0) }
}

/// Returns its argument in a way the optimiser cannot see through, so that nothing is folded.
@inline(never)
@_optimize(none)
func identity<Value>(_ value: Value) -> Value { value }

// Without generics, so that a call costs one or two nanoseconds.
@inline(never)
@_optimize(none)
private func swallow(_ address: UnsafeRawPointer) {}
