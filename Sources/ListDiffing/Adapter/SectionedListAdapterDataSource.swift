/// Whoever has the sections that a ``SectionedListAdapter`` shows.
@MainActor
public protocol SectionedListAdapterDataSource<Header, Row>: AnyObject {
  /// What stands above the rows of a section.
  associatedtype Header: Diffable

  /// The rows of a section.
  associatedtype Row: Diffable

  /// The sections to show, in order. An adapter asks once for each update.
  func sections(for adapter: SectionedListAdapter<Header, Row>) -> [ListSection<Header, Row>]
}
