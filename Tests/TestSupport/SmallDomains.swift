/// All subsets of some elements, each in the order of the elements.
///
///     subsets(of: [0, 1])  // [[], [0], [1], [0, 1]]
///
/// - Complexity: O(2^*n*), where *n* is the number of elements.
public func subsets<Element>(of elements: [Element]) -> [[Element]] {
  elements.reduce(into: [[]]) { result, element in
    result += result.map { $0 + [element] }
  }
}

/// All orders of some elements.
///
///     permutations(of: [0, 1])  // [[0, 1], [1, 0]]
///
/// - Complexity: O(*n*!), where *n* is the number of elements.
public func permutations<Element>(of elements: [Element]) -> [[Element]] {
  guard !elements.isEmpty else { return [[]] }
  return elements.indices.flatMap { position in
    var others = elements
    let first = others.remove(at: position)
    return permutations(of: others).map { [first] + $0 }
  }
}

/// All sequences of some elements, repetition allowed, up to a length.
///
///     sequences(of: [0, 1], upTo: 2)  // [[], [0], [1], [0, 0], [0, 1], [1, 0], [1, 1]]
///
/// - Complexity: O(*n*^*length*), where *n* is the number of elements.
public func sequences<Element>(of elements: [Element], upTo length: Int) -> [[Element]] {
  var result: [[Element]] = [[]]
  var last = result
  for _ in 0..<length {
    last = last.flatMap { start in elements.map { start + [$0] } }
    result += last
  }
  return result
}
