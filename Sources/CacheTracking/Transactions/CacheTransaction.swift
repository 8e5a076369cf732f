public import ListDiffing
internal import Locking

/// The change of one object of a list.
///
///     let transaction = CacheTransaction(
///       object: "Golf", objectType: "Car", change: .insert(at: ListPath(section: 0, row: 3)))
///     transaction.changeType  // .insert
///     transaction.oldIndexPath  // nil
///
/// It carries the object's value after the change, or its last value if the object was deleted. A
/// tracker that provides only positions has an `Output` of `Void`.
public struct CacheTransaction<Output: Sendable>: Sendable {
  /// The value after the change.
  ///
  /// For a delete, it is the last value.
  public let object: Output

  /// The name of the object's type.
  ///
  /// It is never empty.
  public let objectType: String

  /// The kind of the change and its paths.
  public let change: RowChange

  /// Creates a transaction.
  ///
  /// - Precondition: `objectType` is not empty.
  public init(object: Output, objectType: String, change: RowChange) {
    mustHold(!objectType.isEmpty, "A transaction needs the name of its object's type")
    self.object = object
    self.objectType = objectType
    self.change = change
  }

  /// The kind of the change.
  public var changeType: ChangeKind { change.kind }

  /// The path in the list before, or nil for an insert.
  public var oldIndexPath: ListPath? { change.oldPosition }

  /// The path in the list after, or nil for a delete.
  public var updatedIndexPath: ListPath? { change.newPosition }
}

extension CacheTransaction: Equatable where Output: Equatable {}
extension CacheTransaction: Hashable where Output: Hashable {}
extension CacheTransaction: Encodable where Output: Encodable {}

extension CacheTransaction: Decodable where Output: Decodable {
  /// Decodes a transaction.
  ///
  /// - Throws: A `DecodingError`. An empty object type throws as well.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    object = try container.decode(Output.self, forKey: .object)
    objectType = try container.decode(String.self, forKey: .objectType)
    change = try container.decode(RowChange.self, forKey: .change)
    guard !objectType.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .objectType, in: container, debugDescription: "A transaction's objectType is empty")
    }
  }
}

extension CacheTransaction: CustomStringConvertible {
  /// The change and the object, such as "insert 0.3: Golf".
  ///
  /// If only positions are delivered, the object is omitted.
  public var description: String {
    object is Void ? "\(change)" : "\(change): \(oneLine(object))"
  }
}
