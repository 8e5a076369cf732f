/// The object that provides the sections that a ``SectionedListAdapter`` shows.
///
///     final class Garage: SectionedListAdapterDataSource {
///       var sections: [ListSection<Owner, Car>] = []
///       func sections(
///         for adapter: SectionedListAdapter<Owner, Car>
///       ) -> [ListSection<Owner, Car>] { sections }
///     }
@MainActor
public protocol SectionedListAdapterDataSource<Header, Row>: AnyObject {
  /// The content of the header above the rows of a section.
  associatedtype Header: Diffable

  /// The rows of a section.
  associatedtype Row: Diffable

  /// Returns the sections to show, in order. An adapter calls this once for each update.
  func sections(for adapter: SectionedListAdapter<Header, Row>) -> [ListSection<Header, Row>]
}
