/// The first index that meets `condition`, which all later ones meet too, or `count`.
func partitionPoint(_ count: Int, where condition: (Int) -> Bool) -> Int {
  var low = 0
  var high = count
  while low < high {
    let middle = (low + high) / 2
    if condition(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}

extension [Int] {
  /// How many of these, which ascend, are less than `value`.
  func count(below value: Int) -> Int { partitionPoint(count) { self[$0] >= value } }
}
