/// A reason why a commit or a read did not succeed.
///
/// Nothing has changed, but for ``outcomeUnknown(version:fault:)``: there nobody can say.
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
  /// An attribute isn't as a commit that is undone, done again, applied or replayed needs it to be.
  case changedSince(ObjectID, attribute: String, expected: StoredValue, found: StoredValue)
  /// A number is NaN, which has no stored form.
  case notANumber(ObjectID, attribute: String)
  /// A stored value is not one of the attribute's type.
  case unreadable(ObjectID, attribute: String, found: StoredValue)
  /// The entity isn't among those the store was opened with.
  case unknownEntity(String)
  /// A sum is beyond the numbers that its type has.
  case overflow(entity: String)
  /// The highest number that an entity's ids can be has been used.
  case noNextID(entity: String)
  /// As many versions are held as may be.
  case tooManyVersions(limit: Int)
  /// The storage has only the last version.
  case snapshotsUnsupported
  /// The storage has no numbers of rows, which an index-only result keeps.
  case rowNumbersUnsupported
  /// An index-only result would have to read whole objects, since the storage's language can't say a
  /// part of the query.
  case notIndexable(entity: String, part: String)
  /// The storage reports an error.
  case storage(StorageFault)
  /// The storage failed while it made a commit durable, and can't say whether it did. The store
  /// refuses commits until it is opened again; the fault says what went wrong.
  case outcomeUnknown(version: Int64, fault: StorageFault? = nil)
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
  /// A sentence that says what is wrong and what to do.
  ///
  /// Values are cut where they are long, and control characters in them are written out, so it is safe in a log.
  public var description: String {
    switch self {
    case .alreadyExists(let object):
      "\(object.brief) is in the store already; update it, or use upsert"
    case .notFound(let object):
      "\(object.brief) is not in the store, or no longer; look with find whether an object is there, or insert it"
    case .idChanged(let object, let new):
      "An update changed the id of \(object.brief) to that of \(new.brief); ids never change, so insert another "
        + "object and delete this one"
    case .notUnique(let objects, let attributes, let values):
      "\(objects.map(\.brief).listed(atMost: 3)) have the same "
        + zip(attributes, values).prefix(4).map {
          "\($0.harmless(atMost: WordLimit.value)), \($1.brief)"
        }.joined(separator: ", and ")
        + "; give all but one another value of \(attributes.map(Self.words).listed(atMost: 3)), or use upsert(_:by:) to change "
        + "the one that is there"
    case .missingValue(let object, let attribute):
      "\(Self.words(attribute)) of \(object.brief) is nil, and its schema requires a value; set one before the commit ends"
    case .inexactID(let object, let again):
      "The id of \(object.brief) comes back from its stored form as \(again?.brief ?? "no id"); make "
        + "init(storedValue:) of its type give the id that was stored"
    case .checkFailed(let object, let check):
      "\(object.brief) breaks the rule that \(Self.words(check)); set values that keep it before the commit ends"
    case .missingReference(let object, let attribute, let target):
      "\(object.brief) refers to \(target.brief) by \(Self.words(attribute)), and that is not in the store; insert it in the same "
        + "commit, or declare the reference lateBound"
    case .deleteDenied(let object, let referrer, let attribute):
      "\(object.brief) can't be deleted: \(referrer.brief) refers to it by \(Self.words(attribute)); delete that too, or set its "
        + "\(Self.words(attribute)) to another object"
    case .changedSince(let object, let attribute, let expected, let found):
      "\(Self.words(attribute)) of \(object.brief) is \(found.brief) and not \(expected.brief): it has changed "
        + "since; decide which value holds and commit it, or forget what was to be undone with "
        + "clearHistory()"
    case .notANumber(let object, let attribute):
      "\(Self.words(attribute)) of \(object.brief) is NaN, which can't be stored; use nil"
    case .unreadable(let object, let attribute, let found):
      "\(Self.words(attribute)) of the stored \(object.brief) is \(found.brief), which is not of its type; open the store "
        + "with the schema that wrote it, or correct the value in a migration or with the tool that wrote it"
    case .unknownEntity(let name):
      "\(Self.words(name)) is not among the entities of this store; list it in Store(_:entities:)"
    case .overflow(let entity):
      "A sum over \(Self.words(entity)) is beyond the numbers of its type; sum up a Double, or fewer objects"
    case .noNextID(let entity):
      "\(Self.words(entity)) has had an object with the highest id of its type, so there is no next one; choose an id that "
        + "is free, or give the ids a wider type"
    case .tooManyVersions(let limit):
      "\(limit) versions are held, and no more may be; drop a snapshot, or raise heldVersionLimit"
    case .snapshotsUnsupported:
      "A file has only its last version; read it within one read { }"
    case .rowNumbersUnsupported:
      "This storage doesn't number its rows; use a FetchedObjectsModel, or have the storage's readers "
        + "give row numbers"
    case .notIndexable(let entity, let part):
      "SQL can't say \(Self.words(part)) of \(Self.words(entity)), which an index-only result needs; use stored attributes in "
        + "their stored order, or a FetchedObjectsModel"
    case .storage(let fault): fault.description
    case .outcomeUnknown(let version, let fault):
      "The storage failed while it wrote version \(version); open the store again to see whether it "
        + "has it" + (fault.map { " (\($0))" } ?? "")
    }
  }

  private static func words(_ text: String) -> String { text.harmless(atMost: WordLimit.value) }
}
