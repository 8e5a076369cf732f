@_spi(Storage) @_spi(Inspection) internal import EntityStore
@_spi(Inspection) internal import FetchedObjects
public import WebFeeds

extension Inspector {
  /// Returns the answer to a request of the inspector's page, or nil if there is no such path.
  ///
  ///     // /inspector/…
  ///     let path = String(request.path.dropFirst("/inspector/".count))
  ///     let answer = inspector.answer(request.method, path, request.query)
  ///
  /// The page is at the path "", so its address ends with a slash: a server sends a browser from
  /// `/inspector` on to `/inspector/`. The page asks for its own files, and for `state`, `history`,
  /// `reasons` and `plan`, all by GET. By a POST to `pause` it stops and continues the recording.
  ///
  /// An answer has the first 400 characters of a long text, and the first 16 bytes of a value of
  /// bytes. Commits that make more than a megabyte come with several answers.
  ///
  /// The page shows everything in the store, so the server must know who asks. The headers `Origin`
  /// and `Sec-Fetch-Site` distinguish the page's own requests from those of other sites. The
  /// server must also refuse requests whose `Host` isn't one of its own names: a page of another
  /// site can give its name this machine's address.
  ///
  /// The page needs no more of a Content-Security-Policy than `script-src`, `style-src` and
  /// `connect-src 'self'`, and `img-src data:`.
  ///
  /// - Parameters:
  ///   - method: The method of the request.
  ///   - path: The path below that of the page.
  ///   - parameters: The parameters of the address.
  /// - Returns: The answer, or nil.
  public func answer(
    _ method: String, _ path: String, _ parameters: [String: String] = [:]
  ) -> WebAnswer? {
    guard Self.files[path] != nil || Self.questions.contains(path) else { return nil }
    let allowed = path == "pause" ? "POST" : "GET"
    guard method == allowed else {
      return WebAnswer.refused(
        status: 405, kind: "badMethod", "This address takes \(allowed) only."
      ).adding([WebAnswer.Header("allow", allowed)])
    }
    return Self.files[path] ?? answer(path, parameters)
  }

  /// The bytes of commits after which the others come with the next answer.
  private static let answerLimit = 1 << 20

  /// The paths that the page asks for.
  private static let questions: Set = ["state", "history", "reasons", "plan", "pause"]

  private func answer(_ question: String, _ parameters: [String: String]) -> WebAnswer {
    switch question {
    case "history": history(parameters["object"])
    case "reasons": reasons(parameters["object"], parameters["list"])
    case "plan": plan(parameters["list"])
    case "pause": pause(parameters["on"])
    default: state(after: parameters["after"].flatMap { Int($0) } ?? 0)
    }
  }

  private static let files = [
    "": file("text/html", PackageResources.inspector_html),
    "inspector.css": file("text/css", PackageResources.inspector_css),
    "inspector.js": file("text/javascript", PackageResources.inspector_js),
    "commits.js": file("text/javascript", PackageResources.commits_js),
    "details.js": file("text/javascript", PackageResources.details_js),
    "history.js": file("text/javascript", PackageResources.history_js),
    "lists.js": file("text/javascript", PackageResources.lists_js),
    "news.js": file("text/javascript", PackageResources.news_js),
    "page.js": file("text/javascript", PackageResources.page_js),
    "timeline.js": file("text/javascript", PackageResources.timeline_js),
  ]

  private static func file(_ type: String, _ body: [UInt8]) -> WebAnswer {
    WebAnswer(
      status: 200,
      headers: [
        WebAnswer.Header("content-type", "\(type); charset=utf-8"),
        WebAnswer.Header("cache-control", "no-cache"),
      ], body: body)
  }

  private static func answer(_ body: (inout JSONText) -> Void) -> WebAnswer {
    var text = JSONText()
    text.object(body)
    return WebAnswer(status: 200, json: text.bytes)
  }

  private func state(after number: Int) -> WebAnswer {
    let (commits, lists) = (commits(after: number), lists)
    return Self.answer { text in
      text.time("now", age, in: .microseconds(1))
      text.member("paused", isPaused)
      text.member("missed", missedCommitCount)
      let count = text.array("commits", commits, atMost: Self.answerLimit) { $0.commit($1) }
      text.member("more", count < commits.count)
      text.array("lists", lists) { $0.list($1) }
    }
  }

  private func history(_ name: String?) -> WebAnswer {
    guard let object = name.flatMap({ ObjectID($0) }) else { return Self.badObject }
    let changes = history(of: object)
    return Self.answer { $0.array("changes", changes) { $0.change($1) } }
  }

  private func reasons(_ name: String?, _ list: String?) -> WebAnswer {
    guard let object = name.flatMap({ ObjectID($0) }) else { return Self.badObject }
    guard let list, let live = liveList(list) else { return Self.noList }
    do {
      if let reasons = try reasons(for: object, in: live) {
        return Self.answer { $0.reasons(reasons) }
      }
      let entity = live.query.entity.name
      return .refused(
        status: 404, kind: "notFound",
        "This list has objects of \(entity), such as \(entity)(1); \(object) is of another entity.")
    } catch {
      return .refused(error)
    }
  }

  private func plan(_ list: String?) -> WebAnswer {
    do {
      guard let list, let plan = try plan(ofList: list) else { return Self.noList }
      return Self.answer { $0.member("plan", plan) }
    } catch {
      return .refused(error)
    }
  }

  private func pause(_ isOn: String?) -> WebAnswer {
    guard let isOn, ["true", "false"].contains(isOn) else {
      return .refused(status: 400, kind: "badRequest", "The parameter on is true or false.")
    }
    isPaused = isOn == "true"
    return state(after: .max)
  }

  private static let badObject = WebAnswer.refused(
    status: 400, kind: "badRequest",
    "The parameter object is the name of an object, such as Car(1) or Airline(\"UA\").")

  private static let noList = WebAnswer.refused(
    status: 404, kind: "notFound",
    "There is no such list any more: its last model has been released.")
}
