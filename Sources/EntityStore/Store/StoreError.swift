/// A reason why a commit or a read did not succeed.
///
/// Nothing has changed.
public enum StoreError: Error, Hashable, Sendable {
  /// An object with this id is in the store already.
  case alreadyExists(ObjectID)
  /// No object with this id is in the store.
  case notFound(ObjectID)
  /// An update changed the id of the object; an id never changes.
  case idChanged(ObjectID)
  /// Two objects would have the same values of a unique key.
  case notUnique(entity: String, attributes: [String], objects: [StoredValue])
  /// An object would refer to one that isn't there.
  case missingReference(ObjectID, attribute: String, target: ObjectID)
  /// An object can't be deleted, because another refers to it and its rule says deny.
  case deleteDenied(ObjectID, referrer: ObjectID, attribute: String)
  /// A number is NaN, which has no stored form.
  case notANumber(ObjectID, attribute: String)
  /// A stored value is not one of the attribute's type.
  case unreadable(entity: String, attribute: String, found: StoredValue)
  /// The entity isn't among those the store was opened with.
  case unknownEntity(String)
  /// The storage reports an error.
  case storage(StorageFault)
  /// The storage failed while it made a commit durable, and can't say whether it did. The store
  /// refuses commits until it is opened again.
  case outcomeUnknown(version: Int64)
}

/// What a storage reports, with what to do.
public struct StorageFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of fault that a program may want to tell apart.
  public enum Kind: String, Sendable, Hashable {
    /// No more room: free some, and try again.
    case full
    /// Somebody else is writing: try again.
    case busy
    /// The file or its folder can't be written.
    case readOnly
    /// The file can't be opened: check the path and its rights.
    case cannotOpen
    /// The file is damaged.
    case corrupt
    /// The file isn't a store of this library.
    case foreign
    /// The file was written by a later version of this library.
    case newer
    /// The file's tables don't fit the schemas.
    case schemaMismatch
    /// Reading or writing the file failed.
    case inputOutput
    /// Anything else.
    case other
  }

  /// What kind of fault it is.
  public let kind: Kind
  /// What happened, to which file, and what to do.
  public let message: String

  /// A fault.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

extension StoreError: CustomStringConvertible {
  /// A sentence that says what is wrong.
  public var description: String {
    switch self {
    case .alreadyExists(let object):
      "\(object) is in the store already; update it, or use upsert"
    case .notFound(let object): "\(object) is not in the store"
    case .idChanged(let object): "An update changed the id of \(object); ids never change"
    case .notUnique(let entity, let attributes, let objects):
      "\(objects.map { "\(entity) \($0)" }.joined(separator: " and ")) "
        + "have the same \(attributes.joined(separator: ", "))"
    case .missingReference(let object, let attribute, let target):
      "\(object) refers to \(target) by \(attribute), and that is not in the store"
    case .deleteDenied(let object, let referrer, let attribute):
      "\(object) can't be deleted: \(referrer) refers to it by \(attribute)"
    case .notANumber(let object, let attribute):
      "\(attribute) of \(object) is NaN, which can't be stored; use nil"
    case .unreadable(let entity, let attribute, let found):
      "\(attribute) of a stored \(entity) is \(found), which is not of its type"
    case .unknownEntity(let name): "\(name) is not among the entities of this store"
    case .storage(let fault): fault.message
    case .outcomeUnknown(let version):
      "The storage failed while it wrote version \(version); open the store again to see"
    }
  }
}
