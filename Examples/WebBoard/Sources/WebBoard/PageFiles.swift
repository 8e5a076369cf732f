import WebFeeds

/// The files of the page.
///
/// They are part of the program, so no folder of the machine is served.
enum PageFiles {
  static let answers: [String: WebAnswer] = [
    "/": answer("text/html", PackageResources.index_html),
    "/board.css": answer("text/css", PackageResources.board_css),
    "/board.js": answer("text/javascript", PackageResources.board_js),
    "/list.js": answer("text/javascript", PackageResources.list_js),
    "/panel.js": answer("text/javascript", PackageResources.panel_js),
    "/rows.js": answer("text/javascript", PackageResources.rows_js),
    "/signalbox.js": answer("text/javascript", EventStreamFeed.clientModule),
  ]

  private static func answer(_ type: String, _ body: [UInt8]) -> WebAnswer {
    WebAnswer(
      status: 200,
      headers: [
        WebAnswer.Header("content-type", "\(type); charset=utf-8"),
        // A newer program has a newer page.
        WebAnswer.Header("cache-control", "no-cache"),
      ], body: body)
  }

  /// The headers of every answer.
  static let headers = [
    WebAnswer.Header(
      "content-security-policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    WebAnswer.Header("x-content-type-options", "nosniff"),
    WebAnswer.Header("referrer-policy", "no-referrer"),
    WebAnswer.Header("cross-origin-opener-policy", "same-origin"),
  ]
}
