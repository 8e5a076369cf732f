/// A binary heap of instants, with the numbers of their observers.
struct InstantHeap: Sendable {
  typealias Element = (instant: Double, number: Int)

  private var elements: [Element] = []

  var count: Int { elements.count }

  /// The element with the lowest instant.
  var first: Element? { elements.first }

  /// - Complexity: O(log *n*).
  mutating func insert(_ instant: Double, _ number: Int) {
    var place = elements.count
    elements.append((instant, number))
    while place > 0 {
      let parent = (place - 1) / 2
      if elements[parent].instant <= instant { return }
      elements.swapAt(parent, place)
      place = parent
    }
  }

  /// - Complexity: O(log *n*).
  mutating func removeFirst() {
    elements.swapAt(0, elements.count - 1)
    elements.removeLast()
    var place = 0
    while true {
      let left = 2 * place + 1
      if left >= elements.count { return }
      let right = left + 1
      let isRight = right < elements.count && elements[right].instant < elements[left].instant
      let child = isRight ? right : left
      if elements[place].instant <= elements[child].instant { return }
      elements.swapAt(place, child)
      place = child
    }
  }
}
