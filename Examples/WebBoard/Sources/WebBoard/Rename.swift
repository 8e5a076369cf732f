import DeparturesModel
import Foundation
import HTTPServer
import Signalbox
import WebFeeds

/// The command that gives an airline another name.
struct Rename: Decodable {
  var airline: String
  var name: String

  /// Carries out a request, and returns its answer.
  static func answer(_ request: HTTPRequest, _ commands: any BoardCommands) -> WebAnswer {
    guard request.headers["content-type"]?.lowercased().hasPrefix("application/json") == true else {
      return .refused(
        status: 415, kind: "unsupported",
        "The body has to be JSON, with content-type application/json.")
    }
    let rename: Rename
    do {
      rename = try JSONDecoder().decode(Rename.self, from: Data(request.body))
    } catch {
      return .refused(
        status: 400, kind: "badRequest", #"The body has to be {"airline": "UA", "name": "…"}."#)
    }
    do {
      return .committed(version: try commands.rename(airline: rename.airline, to: rename.name))
    } catch {
      return .refused(error, attribute: "name")
    }
  }
}
