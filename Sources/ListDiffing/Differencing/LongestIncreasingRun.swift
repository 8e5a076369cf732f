/// Marks the members of one longest strictly increasing subsequence.
///
///     longestIncreasingRun(of: [2, 0, 1, 3])  // [false, true, true, true]
///
/// Marked elements stay in place while all others move around them, so the number of moves is
/// minimal. Equal input produces equal output.
///
/// - Parameter values: Positions in a list: 0 or more, and less than 2^31.
/// - Returns: A mark for each value.
/// - Complexity: O(*n* log *n*), and O(*n*) if the values increase, where *n* is their number.
package func longestIncreasingRun(of values: [Int]) -> [Bool] {
  let values = values.map { value in
    _mustHold(value >= 0, "\(value) is no position in a list")
    return Int32(value)
  }
  return _longestIncreasingRun(of: values)?.marks ?? [Bool](repeating: true, count: values.count)
}

/// Marks the members of one longest strictly increasing subsequence.
///
/// If possible, it includes values that are equal to their position.
///
/// - Parameters:
///   - values: Positions in the list before: 0 or more, and less than 2^31.
///   - places: The position of each value in the list after, ascending.
/// - Returns: A mark for each value.
/// - Complexity: O(*n* log *n*), and O(*n*) if the values increase, where *n* is their number.
package func longestIncreasingRun(of values: [Int], at places: [Int]) -> [Bool] {
  var marks = longestIncreasingRun(of: values)
  if marks.indices.contains(where: { !marks[$0] && values[$0] == places[$0] }) {
    let runs = zip(values, places).map { _MatchedRun(old: $0, new: $1, count: 1) }
    _preferPlaces(runs, &marks)
  }
  return marks
}

/// Marks the members of one longest increasing subsequence.
///
/// The algorithm is patience sorting (Fredman, 1975). For each length, it keeps the least value
/// that ends a run of that length.
///
/// - Returns: The marks and the number of marked values, or nil if all values increase.
func _longestIncreasingRun(of values: [Int32]) -> (marks: [Bool], count: Int)? {
  if zip(values, values.dropFirst()).allSatisfy(<) { return nil }
  var length = 0
  let marks = [Bool](unsafeUninitializedCapacity: values.count) { marks, count in
    length = values.withUnsafeBufferPointer { _markLongestRun(of: $0, in: marks) }
    count = values.count
  }
  return (marks, length)
}

/// Marks the members of a longest run, and returns the number of marks.
private func _markLongestRun(
  of values: UnsafeBufferPointer<Int32>, in marks: UnsafeMutableBufferPointer<Bool>
) -> Int {
  marks.initialize(repeating: false)
  return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 3 * values.count) { scratch in
    let tails = UnsafeMutableBufferPointer(rebasing: scratch[..<values.count])
    let ends = UnsafeMutableBufferPointer(rebasing: scratch[values.count..<2 * values.count])
    let previous = UnsafeMutableBufferPointer(rebasing: scratch[(2 * values.count)...])
    var length = 0
    var last: Int32 = -1
    @inline(__always)
    func place(_ position: Int, at start: Int) {
      previous[position] = start == 0 ? -1 : ends[start &- 1]
      tails[start] = values[position]
      ends[start] = Int32(truncatingIfNeeded: position)
      if start >= length &- 1 { last = values[position] }
      if start == length { length &+= 1 }
    }
    var position = 0
    while position < values.count {
      let first = values[position]
      if first > last {
        place(position, at: length)
        position &+= 1
        continue
      }
      let second = position &+ 1 < values.count ? values[position &+ 1] : first
      let starts = _counts(of: tails, among: length, below: first, second)
      place(position, at: starts.first)
      position &+= 1
      if position < values.count {
        // Placing the first value adds one to the values that are less than the second one.
        let isAfter = starts.first == starts.second && first < second
        place(position, at: isAfter ? starts.second &+ 1 : starts.second)
        position &+= 1
      }
    }
    guard length > 0 else { return 0 }
    var member = ends[length - 1]
    while member >= 0 {
      marks[Int(member)] = true
      member = previous[Int(member)]
    }
    return length
  }
}

/// Returns, for two values at once, how many of the first `length` ascending positions are less.
///
/// In a shuffled list, half of the branches of a binary search would be mispredicted, and the
/// compiler turns comparisons into branches. It can't do so with vectors: the sign of a difference
/// is the mask. The two searches also wait for memory at the same time.
@inline(__always)
private func _counts(
  of tails: UnsafeMutableBufferPointer<Int32>, among length: Int, below first: Int32,
  _ second: Int32
) -> (first: Int, second: Int) {
  let values = SIMD2(first, second)
  var starts = SIMD2<Int32>.zero
  var size = length
  // If little moves, both are near the end.
  if length > 64, tails[length &- 64] < min(first, second) {
    starts = SIMD2(repeating: Int32(truncatingIfNeeded: length &- 64))
    size = 64
  }
  while size > 1 {
    let half = size &>> 1
    let found = SIMD2(
      tails[Int(starts.x) &+ half &- 1], tails[Int(starts.y) &+ half &- 1])
    starts &+= ((found &- values) &>> 31) & SIMD2(repeating: Int32(truncatingIfNeeded: half))
    size &-= half
  }
  let found = SIMD2(tails[Int(starts.x)], tails[Int(starts.y)])
  starts &-= (found &- values) &>> 31
  return (Int(starts.x), Int(starts.y))
}
