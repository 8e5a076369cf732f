import Foundation
import WebFeeds

/// A client of Electric's shape protocol, written from the protocol's rules: it knows JSON and headers, and
/// nothing of the library.
struct ShapeClient {
  enum Failure: Error, Equatable {
    case brokenRule(String)
  }

  /// The rows, by key; each is what its messages have made of it.
  private(set) var rows: [String: [String: NSObject]] = [:]
  private(set) var offset = "-1"
  private(set) var handle: String?
  private(set) var isUpToDate = false
  /// The handles that may never come again.
  private var expired: Set<String> = []
  /// All versions up to this one are confirmed.
  private(set) var confirmed = 0
  private(set) var transactions: Set<Int> = []
  /// How many fields came in updates.
  private(set) var updatedFields = 0

  var parameters: [String: String] {
    var all = ["offset": offset]
    all["handle"] = handle
    if isUpToDate { all["live"] = "true" }
    return all
  }

  /// Takes an answer, and returns true if there is more to ask for at once.
  mutating func take(_ answer: WebAnswer) throws -> Bool {
    guard let handle = answer["electric-handle"] else { throw Failure.brokenRule("no handle") }
    if expired.contains(handle) { throw Failure.brokenRule("a handle comes again") }
    let messages = try Self.messages(answer.body)
    if answer.status == 409 {
      guard messages.count == 1, Self.control(messages[0]) == "must-refetch" else {
        throw Failure.brokenRule("409 without must-refetch")
      }
      if let old = self.handle { expired.insert(old) }
      if handle == self.handle { throw Failure.brokenRule("409 with the old handle") }
      (rows, offset, isUpToDate, self.handle) = ([:], "-1", false, handle)
      return true
    }
    guard answer.status == 200, let next = answer["electric-offset"] else {
      throw Failure.brokenRule("status \(answer.status)")
    }
    if isUpToDate ? answer["electric-cursor"] == nil : answer["electric-schema"] != "{}" {
      throw Failure.brokenRule("neither live nor a schema")
    }
    if answer["cache-control"] != "no-store" { throw Failure.brokenRule("may be cached") }
    self.handle = handle
    let ended = try apply(messages)
    if ended != (answer["electric-up-to-date"] != nil) { throw Failure.brokenRule("up to date") }
    offset = next
    isUpToDate = ended
    return !ended
  }

  /// Takes bytes of a stream of events.
  mutating func take(events bytes: [UInt8]) throws {
    for event in String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n\n")
    where !event.isEmpty && !event.hasPrefix(":") {
      guard event.hasPrefix("data: "), !event.contains("\n") else {
        throw Failure.brokenRule("no data: \(event)")
      }
      let message = try JSONSerialization.jsonObject(with: Data(event.dropFirst(6).utf8))
      guard let message = message as? [String: Any] else { throw Failure.brokenRule("no object") }
      if try apply([message]) {
        let headers = message["headers"] as? [String: Any]
        guard let place = headers?["global_last_seen_lsn"] as? String,
          place.allSatisfy(\.isNumber)
        else { throw Failure.brokenRule("no place") }
        offset = place + "_0"
      }
    }
  }

  /// Applies messages, and returns true if they end with an up-to-date one.
  private mutating func apply(_ messages: [[String: Any]]) throws -> Bool {
    var ended = false
    for message in messages {
      guard let headers = message["headers"] as? [String: Any] else {
        throw Failure.brokenRule("no headers")
      }
      switch headers["control"] as? String {
      case "up-to-date": ended = true
      case "snapshot-end":
        guard let end = (headers["xmax"] as? String).flatMap({ Int($0) }),
          headers["xmin"] as? String == headers["xmax"] as? String
        else { throw Failure.brokenRule("a snapshot without an end") }
        confirmed = max(confirmed, end - 1)
      case let other?: throw Failure.brokenRule("a control \(other)")
      case nil: try apply(message, headers)
      }
    }
    return ended
  }

  private mutating func apply(_ message: [String: Any], _ headers: [String: Any]) throws {
    guard let key = message["key"] as? String, let value = message["value"] as? [String: NSObject],
      let ids = headers["txids"] as? [Int]
    else { throw Failure.brokenRule("a change without its parts") }
    transactions.formUnion(ids)
    switch (headers["operation"] as? String, rows[key]) {
    case ("insert", nil): rows[key] = value
    case ("update", let old?):
      // A field that another query doesn't have has become null, and may come back as null.
      for (name, new) in value where name != "id" && old[name] == new && !(new is NSNull) {
        throw Failure.brokenRule("an update of \(name), which is the same")
      }
      updatedFields += value.count - 1
      rows[key] = old.merging(value) { $1 }
    case ("delete", _?):
      if value["id"] == nil { throw Failure.brokenRule("a delete without its id") }
      rows[key] = nil
    case (let operation, let old):
      throw Failure.brokenRule("\(operation ?? "nothing") of \(key), which is \(old ?? [:])")
    }
  }

  private static func control(_ message: [String: Any]) -> String? {
    (message["headers"] as? [String: Any])?["control"] as? String
  }

  private static func messages(_ body: [UInt8]) throws -> [[String: Any]] {
    guard let messages = try JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]]
    else {
      throw Failure.brokenRule("no array")
    }
    return messages
  }
}
