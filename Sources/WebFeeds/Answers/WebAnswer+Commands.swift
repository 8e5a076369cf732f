public import EntityStore

/// Answers to a command: a request that commits.
extension WebAnswer {
  /// Returns the answer to a command that has been carried out.
  ///
  ///     do {
  ///       return .committed(version: try store.commitReturningVersion { draft in
  ///         try draft.update(Airline.self, code) { $0.name = name }
  ///       })
  ///       // 200 {"version":1234,"txid":1234}
  ///     } catch {
  ///       return .refused(error, attribute: "name")
  ///     }
  ///
  /// A client shows the change at once, and takes it as confirmed when a list has reached that
  /// version. A client that speaks Electric's protocol waits for the `txid`. If nothing has
  /// changed, there is no version to wait for: the answer is `{"version":null}`.
  ///
  /// - Parameter version: The version that the commit has made, or nil if it has made none.
  /// - Returns: The answer, with status 200.
  public static func committed(version: Int64?) -> WebAnswer {
    var text = JSONText()
    text.object { text in
      text.member("version", version)
      if let version { text.member("txid", version) }
    }
    return WebAnswer(status: 200, json: text.bytes)
  }

  /// Returns the answer to a command that the store has refused.
  ///
  ///     // 422 {"error":{"kind":"checkFailed","entity":"Airline","id":"UA","attribute":"name",…}}
  ///
  /// The status is 422 for a rule that the commit would break, 404 for an object that isn't there,
  /// 409 for one that exists already or has changed meanwhile, 503 for a fault of the storage, and
  /// 500 for anything else, also for the app's own errors. The error has the `kind`, by which a
  /// program knows the case, and where it is known the `entity`, the `id` and the `attribute`. Its
  /// `message` is a sentence in English for a user. That of a check is the check's own sentence.
  ///
  /// It names no file and no address. Most errors name one object: the one that breaks the rule,
  /// exists already, has been changed, or isn't there. A delete rule can lead to an object that the
  /// command doesn't name.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - attribute: The attribute that the command sets, for a broken rule that names none, such as
  ///     a check.
  /// - Returns: The answer.
  public static func refused(_ error: any Error, attribute: String? = nil) -> WebAnswer {
    var refusal =
      (error as? StoreError)?.refusal ?? Refusal(500, "failed", StoreError.later)
    if refusal.status == 422 { refusal.attribute = refusal.attribute ?? attribute }
    return refused(refusal)
  }

  /// Returns the answer to a request that isn't carried out.
  ///
  ///     .refused(status: 400, kind: "badRequest", "The body isn't an object in JSON.")
  ///
  /// - Parameters:
  ///   - status: The status, 400 or more.
  ///   - kind: A short word by which a program knows the reason.
  ///   - message: A sentence for the user.
  ///   - object: The object that is concerned.
  ///   - attribute: The attribute that is concerned, beside which a form shows the message.
  /// - Returns: The answer.
  public static func refused(
    status: Int, kind: String, _ message: String, object: ObjectID? = nil, attribute: String? = nil
  ) -> WebAnswer {
    refused(Refusal(status, kind, message, object, attribute: attribute))
  }

  private static func refused(_ refusal: Refusal) -> WebAnswer {
    var text = JSONText()
    text.object { text in
      text.object("error") { text in
        text.member("kind", refusal.kind)
        if let entity = refusal.entity { text.member("entity", entity) }
        if let id = refusal.id { text.member("id", id) }
        if let attribute = refusal.attribute { text.member("attribute", attribute) }
        text.member("message", refusal.message)
      }
    }
    return WebAnswer(status: refusal.status, json: text.bytes)
  }
}
