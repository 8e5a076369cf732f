import Foundation
import HTTPServer

/// Decides for each request who may see and change what.
///
/// An app looks at a cookie or a token here. This board is for everybody who reaches it, and only
/// its own pages may change something.
struct Access: Sendable {
  /// True if a request may read what it asks for.
  var mayRead: @Sendable (HTTPRequest) -> Bool
  /// True if a request may change something.
  var mayWrite: @Sendable (HTTPRequest) -> Bool
  /// True if a request may see everything in the store, and pause the inspector.
  var mayInspect: @Sendable (HTTPRequest) -> Bool

  init(_ options: Options) {
    let isReadOnly = options.isReadOnly
    let allows = options.origin
    mayRead = { request in
      // A page of another site can't read an answer, but it could make a browser ask.
      request.headers["sec-fetch-site"] != "cross-site"
        || allows != nil && request.path.hasPrefix("/shapes/")
        || request.headers["sec-fetch-mode"] == "navigate" && request.path == "/"
    }
    mayWrite = { !isReadOnly && Self.isFromHere($0) }
    mayInspect = { request in
      // A person may open the page from anywhere, and only the page may ask further.
      Self.isFromHere(request)
        || request.headers["sec-fetch-mode"] == "navigate" && request.path.hasSuffix("/")
    }
  }
}

extension Access {
  /// Returns false if a page of another site has sent a request.
  private static func isFromHere(_ request: HTTPRequest) -> Bool {
    if let site = request.headers["sec-fetch-site"], !["same-origin", "none"].contains(site) {
      return false
    }
    guard let origin = request.headers["origin"] else { return true }
    let host = request.headers["host"] ?? ""
    return origin == "http://\(host)" || origin == "https://\(host)"
  }
}

/// The names by which browsers may call the server.
///
/// A page of another site can give its own name the address of this machine, and is then of the
/// same site as the server. So a request for a name that isn't the server's is refused.
struct HostNames: Sendable {
  private let names: Set<String>

  init(_ options: Options) {
    var names: Set = ["localhost", "127.0.0.1", "[::1]"]
    names.formUnion(options.hosts)
    if options.http.address != "0.0.0.0" { names.insert(options.http.address) }
    self.names = names
  }

  func contains(_ header: String?) -> Bool {
    // HTTP/1.0 needn't have it, and no browser speaks that.
    guard let header else { return true }
    let host = header.lowercased()
    let name = host.replacing(/:[0-9]{0,5}$/, with: "")
    return names.contains(host) || names.contains(name)
  }
}
