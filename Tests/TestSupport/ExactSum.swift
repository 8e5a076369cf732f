/// The sum of numbers, rounded once.
///
/// It keeps parts that don't overlap, as Shewchuk proved in 1997.
public func exactSum(_ numbers: [Double]) -> Double {
  var parts: [Double] = []
  for number in numbers {
    var rest = number
    var next: [Double] = []
    for part in parts {
      let (large, small) = abs(rest) < abs(part) ? (part, rest) : (rest, part)
      let high = large + small
      let low = small - (high - large)
      if low != 0 { next.append(low) }
      rest = high
    }
    parts = next + [rest]
  }
  guard var sum = parts.popLast() else { return 0 }
  while let part = parts.popLast() {
    let before = sum
    sum = before + part
    let lost = part - (sum - before)
    guard lost != 0 else { continue }
    // Halfway between two numbers what follows decides.
    if let next = parts.last, (lost < 0) == (next < 0) {
      let double = lost * 2
      let other = sum + double
      if double == other - sum { sum = other }
    }
    break
  }
  return sum
}
