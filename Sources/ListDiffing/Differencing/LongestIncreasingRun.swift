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
    precondition(value >= 0, "\(value) is no position in a list")
    return Int32(value)
  }
  return _longestIncreasingRun(of: values)?.marks ?? [Bool](repeating: true, count: values.count)
}

/// Marks the members of one longest increasing subsequence of those values that aren't negative.
///
/// The algorithm is patience sorting (Fredman, 1975): for each length the least value that ends a run of that
/// length.
///
/// - Returns: The marks and their number, or nil if all of them increase.
@usableFromInline
func _longestIncreasingRun(of values: [Int32]) -> (marks: [Bool], count: Int)? {
  var last: Int32 = -1
  var isIncreasing = true
  for value in values where value >= 0 {
    isIncreasing = isIncreasing && value > last
    last = value
  }
  if isIncreasing { return nil }
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
    for position in 0..<values.count {
      let value = values[position]
      if value < 0 { continue }
      if value > last {
        previous[position] = length == 0 ? -1 : ends[length - 1]
        tails[length] = value
        ends[length] = Int32(truncatingIfNeeded: position)
        length += 1
        last = value
        continue
      }
      // The number of tails that are less.
      var start = 0
      var size = length
      while size > 1 {
        let half = size / 2
        start += tails[start + half - 1] < value ? half : 0
        size -= half
      }
      start += tails[start] < value ? 1 : 0
      previous[position] = start == 0 ? -1 : ends[start - 1]
      tails[start] = value
      ends[start] = Int32(truncatingIfNeeded: position)
      if start == length - 1 { last = value }
    }
    guard length > 0 else { return 0 }
    var position = ends[length - 1]
    while position >= 0 {
      marks[Int(position)] = true
      position = previous[Int(position)]
    }
    return length
  }
}
