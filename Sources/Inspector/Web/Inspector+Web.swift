internal import EntityStore
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
  /// The page shows everything in the store, so the server must know who asks. The headers `Origin`
  /// and `Sec-Fetch-Site` distinguish the page's own requests from those of other sites. The
  /// page needs no more of a Content-Security-Policy than `script-src`, `style-src` and
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
    let allowed = path == "pause" ? "POST" : "GET"
    guard let answer = answer(path, parameters, isPost: method == "POST") else { return nil }
    if method == allowed { return answer }
    var refusal = WebAnswer.refused(
      status: 405, kind: "badMethod", "This address takes \(allowed) only.")
    refusal.headers.append(WebAnswer.Header("allow", allowed))
    return refusal
  }

  private func answer(
    _ path: String, _ parameters: [String: String], isPost: Bool
  ) -> WebAnswer? {
    switch path {
    case "": Self.file("text/html", PackageResources.inspector_html)
    case "inspector.css": Self.file("text/css", PackageResources.inspector_css)
    case "inspector.js": Self.file("text/javascript", PackageResources.inspector_js)
    case "commits.js": Self.file("text/javascript", PackageResources.commits_js)
    case "details.js": Self.file("text/javascript", PackageResources.details_js)
    case "history.js": Self.file("text/javascript", PackageResources.history_js)
    case "lists.js": Self.file("text/javascript", PackageResources.lists_js)
    case "news.js": Self.file("text/javascript", PackageResources.news_js)
    case "page.js": Self.file("text/javascript", PackageResources.page_js)
    case "timeline.js": Self.file("text/javascript", PackageResources.timeline_js)
    case "state": state(after: parameters["after"].flatMap { Int($0) } ?? 0)
    case "history": history(parameters["object"])
    case "reasons": reasons(parameters["object"], parameters["list"])
    case "plan": plan(parameters["list"])
    // Another method changes nothing.
    case "pause": isPost ? pause(parameters["on"]) : state(after: .max)
    default: nil
    }
  }

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
    let commits = commits(after: number)
    let lists = lists
    return Self.answer { text in
      text.name("now")
      text.microseconds(age)
      text.name("paused")
      text.truth(isPaused)
      text.name("missed")
      text.number(missedCommitCount)
      text.name("commits")
      text.array(commits) { $0.commit($1) }
      text.name("lists")
      text.array(lists) { $0.list($1) }
    }
  }

  private func history(_ name: String?) -> WebAnswer {
    guard let object = name.flatMap({ ObjectID($0) }) else { return Self.badObject }
    let changes = history(of: object)
    return Self.answer { text in
      text.name("changes")
      text.array(changes) { $0.change($1) }
    }
  }

  private func reasons(_ name: String?, _ list: String?) -> WebAnswer {
    guard let object = name.flatMap({ ObjectID($0) }) else { return Self.badObject }
    guard let list, let info = lists.first(where: { $0.id == list }) else { return Self.noList }
    guard info.entityName == object.entityName else {
      return .refused(
        status: 404, kind: "notFound",
        "This list has objects of \(info.entityName), such as \(info.entityName)(1); "
          + "\(object) is of another entity.")
    }
    do {
      guard let reasons = try reasons(for: object, inList: list) else { return Self.noList }
      return Self.answer { $0.reasons(reasons) }
    } catch {
      return .refused(error)
    }
  }

  private func plan(_ list: String?) -> WebAnswer {
    do {
      guard let list, let plan = try plan(ofList: list) else { return Self.noList }
      return Self.answer { text in
        text.name("plan")
        text.string(plan)
      }
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
