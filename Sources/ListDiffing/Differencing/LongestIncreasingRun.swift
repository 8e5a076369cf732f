/// Marks the members of one longest strictly increasing subsequence.
///
///     longestIncreasingRun(of: [2, 0, 1, 3])  // [false, true, true, true]
///
/// What is marked may stay in place while all else moves around it, so there are as few moves as
/// possible. Equal input gives equal output.
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

/// Marks the members of one longest strictly increasing subsequence, where possible those whose value is their place.
///
/// - Parameters:
///   - values: Positions in the list before: 0 or more, and less than 2^31.
///   - places: The position of each in the list after, ascending.
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
/// The algorithm is patience sorting (Fredman, 1975): for each length the least value that ends a run of that
/// length.
///
/// - Returns: The marks and their number, or nil if all of them increase.
func _longestIncreasingRun(of values: [Int32]) -> (marks: [Bool], count: Int)? {
  if zip(values, values.dropFirst()).allSatisfy(<) { return nil }
  var length = 0
  let marks = [Bool](unsafeUninitializedCapacity: values.count) { marks, count in
    length = values.withUnsafeBufferPointer { _markLongestRun(of: $0, in: marks) }
    count = values.count
  }
  return (marks, length)
}

/// Returns the number of marks.
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
        // Where the first was placed there is one more that is less.
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

/// The number of the first so many ascending positions that are less than a value, for two values at once.
///
/// In a shuffled list half of the branches of a search would be guessed wrong, and the compiler makes branches of
/// comparisons. Of vectors it can't: the sign of a difference is the mask. Two searches wait for memory together.
@inline(__always)
private func _counts(
  of tails: UnsafeMutableBufferPointer<Int32>, among length: Int, below first: Int32,
  _ second: Int32
) -> (first: Int, second: Int) {
  let values = SIMD2(first, second)
  var starts = SIMD2<Int32>.zero
  var size = length
  // Where little moves, both are near the end.
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
