/// What a ``KeptTree`` holds: an element that is either kept, and seen, or passed over.
protocol Keepable: Sendable {
  var isKept: Bool { get }
}
