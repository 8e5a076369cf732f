internal import FetchedObjects
internal import ListDiffing

extension FeedPage<FeedValues> {
  /// The page in JSON, as `JSONEncoder` writes it but for the order of names.
  var json: [UInt8] {
    var text = JSONText()
    text.object { text in
      switch news {
      case .unchanged:
        text.member("kind", "unchanged")
      case .changes(let changes):
        text.member("kind", "changes")
        text.member("after", changes.after.description)
        text.object("changes") { $0.changes(changes.list) }
        text.array("sections", changes.sections) { text, placed in
          text.object { text in
            text.member("position", placed.position)
            text.header(placed.section)
          }
        }
        text.array("rows", changes.rows) { text, placed in
          text.object { text in
            text.name("path")
            text.path(placed.path)
            text.row(placed.row)
          }
        }
      case .reset(let sections):
        text.member("kind", "reset")
        text.array("sections", sections) { text, section in
          text.object { text in
            text.header(section.header)
            text.array("rows", section.rows) { text, row in text.object { $0.row(row) } }
          }
        }
      }
      text.member("cursor", cursor.description)
    }
    return text.bytes
  }
}

extension JSONText {
  /// Writes the parts of a section's header.
  fileprivate mutating func header(_ section: FeedSection) {
    member("identity", section.identity)
    if section.identity.looksWhole { member("type", "real") }
    member("title", section.title)
    member("hash", section.hash.hexadecimal)
  }

  /// Writes the parts of a row.
  fileprivate mutating func row(_ row: FeedPage<FeedValues>.Row) {
    member("hash", row.hash.hexadecimal)
    object("content") { text in
      for (name, value) in row.content.namesAndValues { text.member(name, value) }
    }
  }

  fileprivate mutating func path(_ path: ListPath) {
    object { text in
      text.member("section", path.section)
      text.member("row", path.row)
    }
  }

  /// Writes the parts of a list's changes.
  fileprivate mutating func changes(_ list: ListChanges) {
    array("updates", list.updates) { $0.pair($1.old, $1.new) { $0.path($1) } }
    array("deletes", list.deletes) { $0.path($1) }
    array("moves", list.moves) { $0.pair($1.old, $1.new) { $0.path($1) } }
    array("inserts", list.inserts) { $0.path($1) }
    array("updatedSections", list.updatedSections) { $0.pair($1.old, $1.new) { $0.number($1) } }
    array("deletedSections", list.deletedSections) { $0.number($1) }
    array("movedSections", list.movedSections) { $0.pair($1.old, $1.new) { $0.number($1) } }
    array("insertedSections", list.insertedSections) { $0.number($1) }
  }

  private mutating func pair<Place>(
    _ old: Place, _ new: Place, _ write: (inout JSONText, Place) -> Void
  ) {
    object { text in
      text.name("old")
      write(&text, old)
      text.name("new")
      write(&text, new)
    }
  }
}
