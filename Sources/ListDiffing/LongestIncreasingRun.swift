/// Marks the members of one longest strictly increasing subsequence.
///
///     longestIncreasingRun(of: [2, 0, 1, 3])  // [false, true, true, true]
///
/// What is marked may stay in place while all else moves around it, so there are as few moves as
/// possible. Equal input gives equal output.
///
/// - Complexity: O(*n* log *n*), and O(*n*) if the values increase, where *n* is their number.
@usableFromInline
package func longestIncreasingRun(of values: [Int]) -> [Bool] {
  guard var last = values.first else { return [] }
  var tails: [Int] = []  // for each length, the least value that ends a run of that length
  var ends: [Int] = []  // and where that value is
  var previous: [Int] = []  // for each value, where its predecessor in such a run is
  tails.reserveCapacity(values.count)
  ends.reserveCapacity(values.count)
  previous.reserveCapacity(values.count)
  for (position, value) in values.enumerated() {
    if position == 0 || value > last {
      previous.append(ends.last ?? -1)
      tails.append(value)
      ends.append(position)
      last = value
    } else {
      let length = tails._count(below: value)
      previous.append(length == 0 ? -1 : ends[length - 1])
      tails[length] = value
      ends[length] = position
      if length == tails.count - 1 { last = value }
    }
  }
  guard tails.count < values.count else {
    return [Bool](repeating: true, count: values.count)
  }
  var marks = [Bool](repeating: false, count: values.count)
  var position = ends[ends.count - 1]
  while position >= 0 {
    marks[position] = true
    position = previous[position]
  }
  return marks
}
