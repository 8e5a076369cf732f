/// Returns the first index that meets `condition`, or `count` if none does.
///
/// All later indices must meet it, too.
///
/// - Complexity: O(log *n*), where *n* is the count.
@inlinable
package func partitionPoint(_ count: Int, where condition: (Int) -> Bool) -> Int {
  var low = 0
  var high = count
  while low < high {
    let middle = (low + high) / 2
    if condition(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}
