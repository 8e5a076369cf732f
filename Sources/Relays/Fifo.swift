/// A queue that doesn't hold the elements that it has returned.
///
/// It runs no code of its elements: the caller that takes an element also releases it. So the queue
/// may be used under a lock.
@usableFromInline package struct Fifo<Element> {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var next = 0

  @inlinable package init() {}

  @inlinable package var isEmpty: Bool { next == elements.count }

  @inlinable package var count: Int { elements.count - next }

  @inlinable package var first: Element? { isEmpty ? nil : elements[next] }

  @inlinable package var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

  /// Calls `body` with each element, the oldest first.
  @inlinable package func forEach(_ body: (Element) throws -> Void) rethrows {
    for case let element? in elements[next...] { try body(element) }
  }

  @inlinable package mutating func append(_ element: Element) { elements.append(element) }

  /// Changes the newest element in place, if there is one.
  @inlinable package mutating func updateLast(_ body: (inout Element) -> Void) {
    guard !isEmpty, var element = elements[elements.count - 1].take() else { return }
    body(&element)
    elements[elements.count - 1] = element
  }

  /// Removes and returns the oldest element.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable @discardableResult package mutating func popFirst() -> Element? {
    guard next < elements.count else { return nil }
    let element = elements[next].take()
    next += 1
    if next == elements.count {
      elements.removeAll(keepingCapacity: elements.capacity < 1024)
      next = 0
    } else if next >= 64 && next * 2 >= elements.count {
      elements.removeSubrange(..<next)
      next = 0
    }
    return element
  }

  /// Removes and returns the newest element.
  @inlinable package mutating func popLast() -> Element? {
    isEmpty ? nil : elements.removeLast()
  }
}

extension Fifo: Sendable where Element: Sendable {}
