internal import Locking
internal import Observation

/// What `withObservationTracking` knows of a list's sections, each by itself: that one was read, or
/// changes.
///
/// Each section is a key path of its own, which only those who track it hold. So nothing is kept of a
/// section when the last of them has been told or has gone.
final class ObservedSections: Observable, Sendable {
  /// What stands for a section in a key path; an object, so that a test can see it go.
  final class Place: Hashable, Sendable {
    let id: SectionID

    init(_ id: SectionID) { self.id = id }

    static func == (a: Place, b: Place) -> Bool { a.id == b.id }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  private let registrar = ObservationRegistrar()
  /// Whether any section has ever been read, so that changes have to be told.
  private let wasRead = AtomicWord(0)

  private subscript(place: Place) -> Void { () }

  private static func keyPath(_ place: Place) -> any KeyPath<ObservedSections, Void> & Sendable {
    \.[place]
  }

  var isEmpty: Bool { wasRead.load() == 0 }

  /// Notes that a section is about to be read.
  func access(_ place: Place) {
    if isEmpty { wasRead.store(1) }
    registrar.access(self, keyPath: Self.keyPath(place))
  }

  /// Says that a section has changed, once everybody who reads sees it.
  func hasChanged(_ place: Place) {
    let keyPath = Self.keyPath(place)
    registrar.willSet(self, keyPath: keyPath)
    registrar.didSet(self, keyPath: keyPath)
  }
}
