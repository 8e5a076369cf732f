import Foundation
import ListFixtures

/// What a browser makes of the bytes of an event stream, written from the HTML standard's rules.
struct EventReader {
  struct Event: Equatable {
    var name = "message"
    var data = ""
    var id = ""
  }

  private(set) var events: [Event] = []
  private(set) var lastID = ""
  private(set) var retry: Int?
  private var line: [UInt8] = []
  private var data: [String] = []
  private var name = ""
  /// An id counts only when its event has ended.
  private var id = ""

  mutating func read(_ bytes: [UInt8]) {
    for byte in bytes {
      if byte != 0x0A {
        line.append(byte)
        continue
      }
      take(String(decoding: line, as: UTF8.self))
      line = []
    }
  }

  private mutating func take(_ line: String) {
    if line.isEmpty {
      lastID = id
      if !data.isEmpty {
        events.append(
          Event(
            name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"), id: lastID))
      }
      (data, name) = ([], "")
      return
    }
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var value = parts.count == 2 ? String(parts[1]) : ""
    if value.hasPrefix(" ") { value.removeFirst() }
    switch parts[0] {
    case "data": data.append(value)
    case "event": name = value
    case "id": id = value
    case "retry": retry = Int(value)
    default: break
    }
  }

  /// Returns the events of the lists since the last call.
  ///
  /// Signs of life come by the clock, and are left out.
  mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events.filter { $0.name != "alive" }
  }
}
