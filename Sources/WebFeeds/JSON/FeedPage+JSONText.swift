internal import EntityStore
internal import FetchedObjects
internal import ListDiffing

extension FeedPage<FeedValues> {
  /// The page in JSON, as `JSONEncoder` writes it but for the order of names.
  var json: [UInt8] {
    var text = JSONText()
    text.object { text in
      text.name("kind")
      switch news {
      case .unchanged:
        text.string("unchanged")
      case .changes(let changes):
        text.string("changes")
        text.name("after")
        text.string(changes.after.description)
        text.name("changes")
        text.changes(changes.list)
        text.name("sections")
        text.array(changes.sections) { text, placed in
          text.object { text in
            text.name("position")
            text.number(placed.position)
            text.header(placed.section)
          }
        }
        text.name("rows")
        text.array(changes.rows) { text, placed in
          text.object { text in
            text.name("path")
            text.path(placed.path)
            text.row(placed.row)
          }
        }
      case .reset(let sections):
        text.string("reset")
        text.name("sections")
        text.array(sections) { text, section in
          text.object { text in
            text.header(section.header)
            text.name("rows")
            text.array(section.rows) { text, row in text.object { $0.row(row) } }
          }
        }
      }
      text.name("cursor")
      text.string(cursor.description)
    }
    return text.bytes
  }
}

extension JSONText {
  /// Writes the parts of a section's header.
  fileprivate mutating func header(_ section: FeedSection) {
    name("identity")
    value(section.identity)
    if section.identity.looksWhole {
      name("type")
      string("real")
    }
    name("title")
    string(section.title)
    name("hash")
    string(section.hash.hexadecimal)
  }

  /// Writes the parts of a row.
  fileprivate mutating func row(_ row: FeedPage<FeedValues>.Row) {
    name("hash")
    string(row.hash.hexadecimal)
    name("content")
    object { text in
      for (name, value) in row.content.namesAndValues {
        text.name(name)
        text.value(value)
      }
    }
  }

  fileprivate mutating func path(_ path: ListPath) {
    object { text in
      text.name("section")
      text.number(path.section)
      text.name("row")
      text.number(path.row)
    }
  }

  fileprivate mutating func changes(_ list: ListChanges) {
    object { text in
      text.name("updates")
      text.array(list.updates) { $0.pair($1.old, $1.new) { $0.path($1) } }
      text.name("deletes")
      text.array(list.deletes) { $0.path($1) }
      text.name("moves")
      text.array(list.moves) { $0.pair($1.old, $1.new) { $0.path($1) } }
      text.name("inserts")
      text.array(list.inserts) { $0.path($1) }
      text.name("updatedSections")
      text.array(list.updatedSections) { $0.pair($1.old, $1.new) { $0.number($1) } }
      text.name("deletedSections")
      text.array(list.deletedSections) { $0.number($1) }
      text.name("movedSections")
      text.array(list.movedSections) { $0.pair($1.old, $1.new) { $0.number($1) } }
      text.name("insertedSections")
      text.array(list.insertedSections) { $0.number($1) }
    }
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
