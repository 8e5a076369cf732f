/// A reason why a commit or a read did not succeed.
///
/// Nothing has changed.
public enum StoreError: Error, Hashable, Sendable {
  /// An object with this id is in the store already.
  case alreadyExists(ObjectID)
  /// No object with this id is in the store.
  case notFound(ObjectID)
  /// An update changed the id of the object; an id never changes.
  case idChanged(ObjectID, to: ObjectID)
  /// Two objects would have the same values of a unique key.
  case notUnique([ObjectID], attributes: [String], values: [StoredValue])
  /// A required attribute would be nil, or is of a type that stores the value as nil and isn't
  /// optional.
  case missingValue(ObjectID, attribute: String)
  /// An id doesn't come back from its stored form: another one does, or none.
  case inexactID(ObjectID, again: StoredValue?)
  /// An object would break a check of its schema.
  case checkFailed(ObjectID, check: String)
  /// An object would refer to one that isn't there.
  case missingReference(ObjectID, attribute: String, target: ObjectID)
  /// An object can't be deleted, because another refers to it and its rule says deny.
  case deleteDenied(ObjectID, referrer: ObjectID, attribute: String)
  /// An attribute isn't as the commit to be undone, or done again, has left it.
  case changedSince(ObjectID, attribute: String, expected: StoredValue, found: StoredValue)
  /// A number is NaN, which has no stored form.
  case notANumber(ObjectID, attribute: String)
  /// A stored value is not one of the attribute's type.
  case unreadable(ObjectID, attribute: String, found: StoredValue)
  /// The entity isn't among those the store was opened with.
  case unknownEntity(String)
  /// A sum is beyond the numbers that its type has.
  case overflow(entity: String)
  /// As many versions are held as may be.
  case tooManyVersions(limit: Int)
  /// The storage has only the last version.
  case keepsNoVersions
  /// The storage has no numbers of rows, which an index-only result keeps.
  case keepsNoRowNumbers
  /// An index-only result would have to read whole objects, since the storage's language can't say a
  /// part of the query.
  case notIndexable(entity: String, part: String)
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

extension StoreError {
  /// Whether it says that what a commit would leave behind breaks a rule of one object.
  var isBrokenRule: Bool {
    switch self {
    case .missingValue, .inexactID, .checkFailed, .missingReference, .notUnique: true
    default: false
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// A sentence that says what is wrong.
  public var description: String {
    switch self {
    case .alreadyExists(let object):
      "\(object) is in the store already; update it, or use upsert"
    case .notFound(let object): "\(object) is not in the store"
    case .idChanged(let object, let new):
      "An update changed the id of \(object) to that of \(new); ids never change, so insert another "
        + "object and delete this one"
    case .notUnique(let objects, let attributes, let values):
      "\(objects.map(\.description).listed(atMost: 3)) have the same "
        + zip(attributes, values).map { "\($0), \($1.literal)" }.joined(separator: ", and ")
    case .missingValue(let object, let attribute):
      "\(attribute) of \(object) is nil, and its schema requires a value"
    case .inexactID(let object, let again):
      "The id of \(object) comes back from its stored form as \(again?.literal ?? "no id"); make "
        + "init(storedValue:) of its type give the id that was stored"
    case .checkFailed(let object, let check): "\(object) breaks the rule that \(check)"
    case .missingReference(let object, let attribute, let target):
      "\(object) refers to \(target) by \(attribute), and that is not in the store; insert it in the same "
        + "commit, or declare the reference lateBound"
    case .deleteDenied(let object, let referrer, let attribute):
      "\(object) can't be deleted: \(referrer) refers to it by \(attribute)"
    case .changedSince(let object, let attribute, let expected, let found):
      "\(attribute) of \(object) is \(found.literal) and not \(expected.literal): it has changed "
        + "since"
    case .notANumber(let object, let attribute):
      "\(attribute) of \(object) is NaN, which can't be stored; use nil"
    case .unreadable(let object, let attribute, let found):
      "\(attribute) of the stored \(object) is \(found.literal), which is not of its type"
    case .unknownEntity(let name):
      "\(name) is not among the entities of this store; list it in Store(_:entities:)"
    case .overflow(let entity):
      "A sum over \(entity) is beyond the numbers of its type; sum up a Double, or fewer objects"
    case .tooManyVersions(let limit):
      "\(limit) versions are held, and no more may be; drop a snapshot, or raise heldVersionLimit"
    case .keepsNoVersions:
      "A file has only its last version; read it within one read { }"
    case .keepsNoRowNumbers:
      "This storage doesn't number its rows; use a FetchedObjectsModel, or have the storage's readers "
        + "give row numbers"
    case .notIndexable(let entity, let part):
      "SQL can't say \(part) of \(entity), which an index-only result needs; use stored attributes in "
        + "their stored order, or a FetchedObjectsModel"
    case .storage(let fault): fault.message
    case .outcomeUnknown(let version):
      "The storage failed while it wrote version \(version); open the store again to see"
    }
  }
}
