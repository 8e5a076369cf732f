@testable import EntityStore

extension UnsafeObjectVector {
  /// A vector of the objects of a collection, numbered from 0.
  init(_ objects: some RandomAccessCollection<Object>) {
    var rest = objects.makeIterator()
    self.init(count: objects.count) { _ in
      guard let object = rest.next() else {
        preconditionFailure("A collection has fewer elements than it says")
      }
      return object
    }
  }
}
