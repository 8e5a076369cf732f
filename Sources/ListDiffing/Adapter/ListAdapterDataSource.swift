/// The object that provides the sections that a ``ListAdapter`` shows.
///
///     final class Garage: ListAdapterDataSource {
///       var sections: [ListSection<Owner, Car>] = []
///       func sections(
///         for adapter: ListAdapter<Owner, Car>
///       ) -> [ListSection<Owner, Car>] { sections }
///     }
///
/// A list without sections has one section, without a header:
///
///     final class People: ListAdapterDataSource {
///       var people: [Person] = []
///       func sections(
///         for adapter: ListAdapter<NoHeader, Person>
///       ) -> [ListSection<NoHeader, Person>] { [ListSection(rows: people)] }
///     }
@MainActor
public protocol ListAdapterDataSource<Header, Row>: AnyObject {
  /// The content of the header above the rows of a section.
  associatedtype Header: Diffable

  /// The rows of a section.
  associatedtype Row: Diffable

  /// Returns the sections to show, in order. An adapter calls this once for each update.
  func sections(for adapter: ListAdapter<Header, Row>) -> [ListSection<Header, Row>]
}
