internal import EntityStore
internal import FetchedObjects

/// The messages for clients at one place in a shape, made once for all of them.
struct ShapePage: Sendable {
  /// The place of the client after it.
  let cursor: FeedCursor
  /// False if the client's rows can't be continued.
  let isKnown: Bool
  /// The messages of the rows that are different, each an object in JSON.
  let messages: [[UInt8]]
  /// The rows of the shown list, for clients that begin.
  let snapshot: KeyedStep

  init(_ step: KeyedStep) {
    cursor = step.cursor
    isKnown = step.isKnown
    ends = [Self.snapshotEnd(at: step.cursor.version), Self.upToDate(at: step.cursor)]
    snapshot = step
    // The order of a set differs in each run; equal changes make equal bytes.
    messages = step.changes().map { Self.message($0, version: step.cursor.version) }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func message(_ change: KeyedStep.Change, version: Int64) -> [UInt8] {
    switch change {
    case .insert(let row): message("insert", row.id, row.fields, version)
    case .update(let id, let fields): message("update", id, fields, version)
    case .delete(let id, let field): message("delete", id, [field], version)
    }
  }

  static func message(
    _ operation: String, _ id: StoredValue, _ fields: [KeyedRow.Field], _ version: Int64
  ) -> [UInt8] {
    var text = JSONText()
    text.object { text in
      text.member("key", id.shapeKey)
      text.object("value") { text in
        for field in fields { text.member(field.name, field.value) }
      }
      text.object("headers") { text in
        text.member("operation", operation)
        text.array("txids", CollectionOfOne(version)) { $0.number($1) }
      }
    }
    return text.bytes
  }

  /// The messages that end a batch: all versions up to its own are confirmed, also those whose net
  /// change is nothing, and the client is up to date.
  let ends: [[UInt8]]

  private static func snapshotEnd(at version: Int64) -> [UInt8] {
    control("snapshot-end") { text in
      for name in ["xmin", "xmax"] { text.member(name, "\(version + 1)") }
      text.array("xip_list", EmptyCollection<Int>()) { $0.number($1) }
    }
  }

  static func upToDate(at cursor: FeedCursor) -> [UInt8] {
    control("up-to-date") { $0.member("global_last_seen_lsn", ShapeOffset(cursor).place) }
  }

  /// The message after which a client starts again.
  static let mustRefetch = control("must-refetch") { _ in }

  private static func control(_ name: String, _ body: (inout JSONText) -> Void) -> [UInt8] {
    var text = JSONText()
    text.object { text in
      text.object("headers") { text in
        text.member("control", name)
        body(&text)
      }
    }
    return text.bytes
  }
}

extension StoredValue {
  /// The id as a key of the protocol: different ids of an entity have different keys.
  fileprivate var shapeKey: String {
    switch self {
    case .text(let text): return text
    case .integer(let number): return "\(number)"
    default:
      var text = JSONText()
      text.value(self)
      return String(decoding: text.bytes, as: UTF8.self)
    }
  }
}
