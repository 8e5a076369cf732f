// Every public type, beside the modules that an app imports. A name that one of them has too would
// be ambiguous, and this file would not compile.
import CacheTracking
import Foundation
import Observation
@_spi(Storage) @_spi(Inspection) import Signalbox
import SignalboxTesting
import Testing

private let relays: [Any.Type] = [
  Relay<Int>.self, StateRelay<Int>.self, Signal<Int>.self, SubscriptionToken.self, Delivery.self,
  Delivery.Main.self, Buffering.self, SignalValues<Int>.self, (any Subscribable<Int>.Type).self,
  SubscriptionBag.self, ManualClock.self, ManualClock.Instant.self,
]

private let listDiffing: [Any.Type] = [
  ListPath.self, ChangeKind.self, ListChanges.self, ListChangesError.self,
  PositionChange<Int>.self, RowChange.self, SectionChange.self, ListSection<Int, Int>.self,
  ListDiff<Int>.self,
  SectionedListDiff<Int, Int>.self, ListDiff<Int>.Paths.self,
  CacheTransaction<Int>.self, CacheTransactionBatch<Int>.self, (any Diffable.Type).self,
  ListPresentation.Pass.self, ListPresentation.self, ListPresentation.Step.self,
  ListPresentation.Style.self,
  ListItem<Int>.self, EmbeddedListHost.self, (any BitwiseIdentifier.Type).self,
  ListAdapter<NoHeader, Int>.self, NoHeader.self, (any ListUpdating.Type).self,
  (any ListAdapterDataSource<NoHeader, Int>.Type).self,
]

private let entityStore: [Any.Type] = [
  (any Entity.Type).self, (any Storable.Type).self, (any Storage.Type).self,
  (any StorageReader.Type).self, (any StorageTransaction.Type).self, Ref<Person>.self,
  Many<Person, Car>.self, ObjectID.self, Schema<Person>.self, Attribute<Person, Int>.self,
  Rule<Person>.self, DeleteRule.self, DeleteRule.Required.self, Column.self,
  EntityDescription.self, EntityRow.self, Query<Person>.self, QueryDescription.self,
  QueryExpression.self, Comparison.self, TextTest.self, AttributePath.self, ReferenceStep.self,
  ManyPath.self, Row<Person, Person>.self, Rows<Person, Car>.self, Field<Person, Int>.self,
  Condition<Person>.self, Field<Person, Int>.NilOperand.self, Condition<Person>.Builder.self,
  Ordering<Person>.self,
  SortKey.self, Inclusion<Person>.self, Inclusion<Person>.Builder.self,
  Aggregation<Person>.self, Aggregation<Person>.Builder.self, Store.self, StorageKind.self,
  Commit.self, EntityChanges<Person>.self, NetChanges.self,
  TableChanges.self, ObjectChange.self, FetchPlan.self, FetchedRow.self, QueryPlan.self,
  StoredValue.self,
  StoredType.self, StoredValue.Mismatch.self, StoreError.self, StorageFault.self,
  InMemoryStorage.self, (any CompositeID.Type).self, IDPart<SeatID, Int>.self,
  IDParts<Person, SeatID>.self, Ordering<Person>.Text.self, ValueComparator<Int>.self,
  Collation.self, CustomCollation.self, TextFolding.self, CompiledCondition<Person>.self,
  Store.Snapshot.self, (any StorageSnapshot.Type).self,
]

private struct SeatID: CompositeID { var number = 0 }

/// Types that can't be copied are no elements of an array.
private func name(draft: borrowing Draft, reader: borrowing Reader, any: some StoreReading) {}

private let rest: [Any.Type] = [
  FetchedObjectsModel<Person>.self, ListSnapshot<EntityView<Person>>.self,
  ListEvent<EntityView<Person>>.self, SectionList<EntityView<Person>>.self,
  SectionInfo<EntityView<Person>>.self,
  EntityView<Person>.self, ObservedEntity<Person>.self, ObservedEntity<Person>.Event.self,
  ObservedEntityState.self, ValueChange<Int>.self,
  DeliveryPolicy.self, CacheRequest<Person>.self,
  FetchedObjectsCacheTracker<Person, Int>.self, SQLiteStorage.self, Durability.self,
  Migration.self, Migration.Context.self, Migration.Progress.self, Migration.Row.self,
  StorageKind.FileWatching.self,
  (any CacheTracker<Person, Int>.Type).self, (any CacheTrackerDelegate<Int>.Type).self,
  RefetchingCacheTracker<Person, Int>.self, IndexOnlyCacheTracker<Person, Int>.self,
  (any IndexedObjectSource<Int>.Type).self, BatchFilter<Int, Int>.self,
  (any FetchedDataSource<Person>.Type).self, RelatedObjectIDs.self, (any DataMapping.Type).self,
  PlainDataMapping<Person>.self, FetchedDataProvider<PlainDataMapping<Person>>.self,
  FetchedDataSnapshot<PlainDataMapping<Person>>.self,
  FetchedDataEvent<PlainDataMapping<Person>>.self,
  (any FetchedDataDelegate<PlainDataMapping<Person>>.Type).self,
  (any ListModel<Int>.Type).self, DerivedModel<Int>.self, ListSnapshot<Int>.self,
  ListEvent<Int>.self, SectionList<Int>.self, SectionInfo<Int>.self,
  ListCore<Int>.self, SectionID.self, EventStep<Int>.self, (any ObjectView.Type).self,
  FetchedObjectsFeed<Int>.self, FeedCursor.self, FeedPage<Int>.self, FeedPage<Int>.News.self,
  FeedPage<Int>.Changes.self, FeedPage<Int>.PlacedRow.self, FeedPage<Int>.PlacedSection.self,
  FeedPage<Int>.Row.self, FeedSection.self, FeedValues.self, FeedList<Int>.self, FeedError.self,
  IndexedObjectsModel<Person>.self, ListSnapshot<IndexedRow>.self, ListEvent<IndexedRow>.self,
  IndexedRow.self, LiveResultInfo.self, LiveResultInfo.Kind.self,
  Store.BackupProgress.self, JSONLines.self, JSONLines.Progress.self, JSONLinesError.self,
  JSONLines.Result.self,
  JSONLines.ExistingObjects.self,
]

@Suite struct NameTests {
  @Test func `No public name is one of Foundation's or Observation's`() {
    #expect(!(relays + listDiffing + entityStore + rest).isEmpty)
  }
}
