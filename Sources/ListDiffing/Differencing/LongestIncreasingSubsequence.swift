/// Marks the members of one longest strictly increasing subsequence.
///
///     longestIncreasingSubsequence(of: [2, 0, 1, 3])  // [false, true, true, true]
///
/// Marked elements stay in place while all others move around them, so the number of moves is
/// minimal. Equal input produces equal output. The values are positions in a list: 0 or more, and
/// less than 2^31.
///
/// - Complexity: O(*n* log *n*), and O(*n*) if the values increase, where *n* is their number.
package func longestIncreasingSubsequence(of values: [Int]) -> [Bool] {
  let values = values.map { value in
    _mustHold(value >= 0, "\(value) is no position in a list")
    return Int32(value)
  }
  return _longestIncreasingSubsequence(of: values)?.marks
    ?? [Bool](repeating: true, count: values.count)
}

/// Marks the members of one longest strictly increasing subsequence.
///
/// If possible, it includes values that are equal to their position. All choices are compared if
/// the values form at most 64 blocks of numbers that follow each other. The values are positions in
/// the list before, and `places` are those in the list after, ascending.
///
/// - Complexity: O(*n* log *n*), and O(*n*) if the values increase, where *n* is their number.
package func longestIncreasingSubsequence(of values: [Int], at places: [Int]) -> [Bool] {
  var marks = longestIncreasingSubsequence(of: values)
  if marks.indices.contains(where: { !marks[$0] && values[$0] == places[$0] }) {
    let runs = zip(values, places).map { _MatchedRun(old: $0, new: $1, count: 1) }
    _preferPlaces(runs, &marks)
  }
  return marks
}

/// Marks the members of one longest increasing subsequence.
///
/// The algorithm is patience sorting (Fredman, 1975). For each length, it keeps the least value
/// that ends an increasing subsequence of that length. The result is nil if all values increase.
func _longestIncreasingSubsequence(of values: [Int32]) -> (marks: [Bool], count: Int)? {
  if zip(values, values.dropFirst()).allSatisfy(<) { return nil }
  var length = 0
  let marks = [Bool](unsafeUninitializedCapacity: values.count) { marks, count in
    length = values.withUnsafeBufferPointer { _markLongestSubsequence(of: $0, in: marks) }
    count = values.count
  }
  return (marks, length)
}

/// Marks the members of a longest subsequence, and returns the number of marks.
private func _markLongestSubsequence(
  of values: UnsafeBufferPointer<Int32>, in marks: UnsafeMutableBufferPointer<Bool>
) -> Int {
  marks.initialize(repeating: false)
  let count = values.count
  let room = _UnsafeTails.room(for: count)
  return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count + room) { scratch in
    let ends = UnsafeMutableBufferPointer(rebasing: scratch[..<count])
    let previous = UnsafeMutableBufferPointer(rebasing: scratch[count..<2 * count])
    var tails = _UnsafeTails(UnsafeMutableBufferPointer(rebasing: scratch[(2 * count)...]), count)
    for position in 0..<count {
      let start = tails.place(values[position])
      previous[position] = start == 0 ? -1 : ends[start &- 1]
      ends[start] = Int32(truncatingIfNeeded: position)
    }
    guard tails.count > 0 else { return 0 }
    var member = ends[tails.count - 1]
    while member >= 0 {
      marks[Int(member)] = true
      member = previous[Int(member)]
    }
    return tails.count
  }
}
