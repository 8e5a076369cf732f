/// An element of a ``KeptTree``, which is either kept and visible, or left out.
protocol Keepable: Sendable {
  var isKept: Bool { get }
}
