/// A reason why a commit or a read failed.
///
///     do {
///       try store.commit { try $0.insert(car) }
///     } catch StoreError.alreadyExists(let object) {
///       print("\(object) exists already")
///     }
///
/// The store hasn't changed. The exception is ``outcomeUnknown(version:fault:)``: there it isn't
/// known whether the store has changed.
public enum StoreError: Error, Hashable, Sendable {
  /// An object with this id is in the store already.
  case alreadyExists(ObjectID)
  /// No object with this id is in the store.
  case notFound(ObjectID)
  /// An update changed the id of the object, but an id never changes.
  case idChanged(ObjectID, to: ObjectID)
  /// Two objects would have the same values of a unique key.
  case notUnique([ObjectID], attributes: [String], values: [StoredValue])
  /// A required attribute would be nil, or its type isn't optional and stores the value as nil.
  case missingValue(ObjectID, attribute: String)
  /// An id's stored form is read back as another id, or as none.
  case inexactID(ObjectID, again: StoredValue?)
  /// An object would break a check of its schema.
  case checkFailed(ObjectID, check: String)
  /// An object would refer to an object that doesn't exist.
  case missingReference(ObjectID, attribute: String, target: ObjectID)
  /// An object can't be deleted, because another refers to it with the rule `deny`.
  case deleteDenied(ObjectID, referrer: ObjectID, attribute: String)
  /// An attribute doesn't have the value from which a commit is undone, redone, applied or
  /// replayed.
  case changedSince(ObjectID, attribute: String, expected: StoredValue, found: StoredValue)
  /// A number is NaN, which has no stored form.
  case notANumber(ObjectID, attribute: String)
  /// A stored value isn't one of the attribute's type.
  case unreadable(ObjectID, attribute: String, found: StoredValue)
  /// The entity isn't among those that the store was opened with.
  case unknownEntity(String)
  /// A sum is outside the range of its type.
  case overflow(entity: String)
  /// The highest possible id of an entity has been used.
  case noNextID(entity: String)
  /// The limit of held versions has been reached.
  case tooManyVersions(limit: Int)
  /// The storage has only the latest version.
  case snapshotsUnsupported
  /// The storage has no row numbers, which an index-only result needs.
  case rowNumbersUnsupported
  /// An index-only result would have to read whole objects, since a part of the query can't be
  /// expressed in the storage's language.
  case notIndexable(entity: String, part: String)
  /// A statement in SQL isn't a single one that only reads the entities that were named, or the
  /// store has no SQL.
  case refusedSQL(_ statement: String, reason: String)
  /// The storage reports a fault.
  case storage(StorageFault)
  /// The storage failed while it made a commit durable, and it isn't known whether it succeeded.
  ///
  /// The store refuses commits until it is opened again. The fault describes what went wrong.
  case outcomeUnknown(version: Int64, fault: StorageFault? = nil)
}

extension StoreError {
  /// True if an object would break a rule in the state that a commit would leave.
  var isBrokenRule: Bool {
    switch self {
    case .missingValue, .inexactID, .checkFailed, .missingReference, .notUnique: true
    default: false
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// A sentence that describes what is wrong and what to do.
  ///
  /// Long values are cut, and control characters in them are written as escapes. So the sentence is
  /// safe in a log.
  public var description: String {
    switch self {
    case .alreadyExists(let object):
      "\(object.brief) is in the store already; update it, or use upsert"
    case .notFound(let object):
      "\(object.brief) isn't in the store, or the list doesn't show it; look with find whether the object is there"
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
    case .refusedSQL(let statement, let reason):
      "The statement \(Self.words(statement)) can't be read: \(reason.harmless(atMost: WordLimit.sentence))"
    case .storage(let fault): fault.description
    case .outcomeUnknown(let version, let fault):
      "The storage failed while it wrote version \(version); open the store again to see whether it "
        + "has it" + (fault.map { " (\($0))" } ?? "")
    }
  }

  private static func words(_ text: String) -> String { text.harmless(atMost: WordLimit.value) }
}
