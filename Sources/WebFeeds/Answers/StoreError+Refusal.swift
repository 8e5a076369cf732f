internal import EntityStore

/// The parts of an error that a client is sent.
struct Refusal {
  var status: Int
  var kind: String
  var object: ObjectID?
  var attribute: String?
  /// The message, or nil if the error's own sentence may be sent.
  var message: String?
}

extension StoreError {
  /// The parts of the error that a client is sent.
  var refusal: Refusal {
    switch self {
    case .alreadyExists(let object): Refusal(status: 409, kind: "alreadyExists", object: object)
    case .notFound(let object): Refusal(status: 404, kind: "notFound", object: object)
    case .idChanged(let object, _): Refusal(status: 422, kind: "idChanged", object: object)
    case .notUnique(let objects, let attributes, _):
      Refusal(status: 422, kind: "notUnique", object: objects.first, attribute: attributes.first)
    case .missingValue(let object, let attribute):
      Refusal(status: 422, kind: "missingValue", object: object, attribute: attribute)
    case .inexactID(let object, _): Refusal(status: 422, kind: "inexactID", object: object)
    case .checkFailed(let object, _): Refusal(status: 422, kind: "checkFailed", object: object)
    case .missingReference(let object, let attribute, _):
      Refusal(status: 422, kind: "missingReference", object: object, attribute: attribute)
    case .deleteDenied(let object, _, let attribute):
      Refusal(status: 422, kind: "deleteDenied", object: object, attribute: attribute)
    case .changedSince(let object, let attribute, _, _):
      Refusal(status: 409, kind: "changedSince", object: object, attribute: attribute)
    case .notANumber(let object, let attribute):
      Refusal(status: 422, kind: "notANumber", object: object, attribute: attribute)
    case .unreadable(let object, let attribute, _):
      Refusal(
        status: 503, kind: "unreadable", object: object, attribute: attribute, message: Self.later)
    case .unknownEntity, .overflow, .noNextID, .notIndexable, .refusedSQL, .snapshotsUnsupported,
      .rowNumbersUnsupported:
      Refusal(status: 500, kind: "failed", message: Self.later)
    case .tooManyVersions, .storage:
      Refusal(status: 503, kind: "unavailable", message: Self.later)
    case .outcomeUnknown:
      Refusal(
        status: 503, kind: "outcomeUnknown",
        message: "The server doesn't know whether the change was made; look before you try again.")
    }
  }

  private static let later = "The server could not do this; try again later."
}
