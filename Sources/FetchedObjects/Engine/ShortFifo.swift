internal import Relays

/// A queue that usually holds at most one element, and then needs no memory of its own.
struct ShortFifo<Element: Sendable>: Sendable {
  private(set) var first: Element?
  private var rest = Fifo<Element>()

  var isEmpty: Bool { first == nil }

  mutating func append(_ element: Element) {
    if first == nil {
      first = element
    } else {
      rest.append(element)
    }
  }

  @discardableResult mutating func popFirst() -> Element? {
    guard let element = first.take() else { return nil }
    first = rest.popFirst()
    return element
  }
}
