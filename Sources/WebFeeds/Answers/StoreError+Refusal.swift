internal import EntityStore

/// The parts of an error that a client is sent.
struct Refusal {
  var status: Int
  var kind: String
  /// A sentence for the user of a page.
  ///
  /// It has no ids, no paths, and no names of functions.
  var message: String
  var entity: String?
  var id: StoredValue?
  var attribute: String?

  init(
    _ status: Int, _ kind: String, _ message: String, _ object: ObjectID? = nil,
    attribute: String? = nil
  ) {
    self.status = status
    self.kind = kind
    self.message = message
    entity = object?.entityName
    id = object?.id
    self.attribute = attribute
  }
}

extension StoreError {
  var refusal: Refusal {
    switch self {
    case .alreadyExists(let object): Refusal(409, "alreadyExists", "This exists already.", object)
    case .notFound(let object): Refusal(404, "notFound", "This isn't there any more.", object)
    case .idChanged(let object, _): Refusal(422, "idChanged", "An id can't change.", object)
    case .notUnique(let objects, let attributes, _):
      Self.notUnique(objects.first?.entityName, attributes.first)
    case .missingValue(let object, let attribute):
      Refusal(422, "missingValue", "A value is missing.", object, attribute: attribute)
    case .inexactID(let object, _):
      Refusal(422, "inexactID", "This id can't be kept.", object)
    case .checkFailed(let object, let check):
      Refusal(422, "checkFailed", Self.sentence(check), object)
    case .missingReference(let object, let attribute, _):
      Refusal(
        422, "missingReference", "What this refers to isn't there.", object, attribute: attribute)
    case .deleteDenied(let object, _, _):
      // The attribute that the error names is that of the other object.
      Refusal(422, "deleteDenied", "This is still used, and can't be deleted.", object)
    case .changedSince(let object, let attribute, _, _):
      Refusal(
        409, "changedSince", "This has been changed meanwhile.", object, attribute: attribute)
    case .notANumber(let object, let attribute):
      Refusal(422, "notANumber", "This isn't a number.", object, attribute: attribute)
    case .unknownEntity, .overflow, .noNextID, .notIndexable, .refusedSQL, .snapshotsUnsupported,
      .rowNumbersUnsupported, .unreadable:
      Refusal(500, "failed", Self.later)
    case .tooManyVersions, .storage: Refusal(503, "unavailable", Self.later)
    case .outcomeUnknown:
      Refusal(
        503, "outcomeUnknown",
        "It isn't known whether the change was made; look before you try again.")
    }
  }

  private static func notUnique(_ entity: String?, _ attribute: String?) -> Refusal {
    // The id that the error names first may be that of the other object.
    var refusal = Refusal(
      422, "notUnique", "Another one has the same value already.", attribute: attribute)
    refusal.entity = entity
    return refusal
  }

  /// Returns a check's sentence with a capital letter and a full stop.
  private static func sentence(_ check: String) -> String {
    check.prefix(1).uppercased() + check.dropFirst() + (check.hasSuffix(".") ? "" : ".")
  }

  static let later = "The server could not do this; try again later."
}
