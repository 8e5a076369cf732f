public import EntityStore
public import ListDiffing

/// A row that is an object: an ``EntityView``, which is the only type that conforms.
///
/// It is what a list has to have as its row for ``ListSnapshot/objects``, aggregates, and all else
/// that concerns objects.
///
///     func years<Row: ObjectView>(_ list: ListSnapshot<Row>) -> [Int] where Row.Object == Car {
///       list.objects.map(\.year)
///     }
public protocol ObjectView: Diffable, Identifiable, Sendable {
  /// The object's type.
  associatedtype Object: Entity

  /// The object.
  var value: Object { get }
}

extension EntityView: ObjectView {
  /// The object's type.
  public typealias Object = E
}
