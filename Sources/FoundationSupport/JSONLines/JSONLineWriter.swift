internal import EntityStore
internal import Foundation

/// A writer for the lines of an export.
struct JSONLineWriter {
  private(set) var bytes: [UInt8] = []

  /// Removes the bytes that have been handed on.
  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  mutating func header(_ entities: [(name: String, count: Int)]) {
    raw(#"{"format":"#)
    text(JSONLinesFormat.name)
    raw(#","version":\#(JSONLinesFormat.version),"entities":["#)
    for (index, entity) in entities.enumerated() {
      raw(index == 0 ? #"{"name":"# : #",{"name":"#)
      text(entity.name)
      raw(#","count":\#(entity.count)}"#)
    }
    raw("]}\n")
  }

  /// Writes an object; the keys of its attributes are already encoded in `shape`.
  mutating func object(_ values: [StoredValue], _ shape: JSONLineShape) {
    bytes += shape.start
    for (index, value) in values.enumerated() {
      bytes += shape.keys[index]
      write(value, shape.partKeys[index])
    }
    raw("}}\n")
  }

  private mutating func write(_ value: StoredValue, _ partKeys: [[UInt8]]) {
    switch value {
    case .null: raw("null")
    case .integer(let number): raw("\(number)")
    case .real(let number): real(number)
    case .text(let text): self.text(text)
    case .bytes(let bytes): text(Data(bytes).base64EncodedString())
    case .list(let parts):
      raw("{")
      for (key, part) in zip(partKeys, parts) {
        bytes += key
        write(part, [])
      }
      raw("}")
    }
  }

  private mutating func real(_ number: Double) {
    if number.isInfinite {
      text(number < 0 ? JSONLinesFormat.negativeInfinity : JSONLinesFormat.infinity)
    } else {
      // These are the shortest digits from which the same number is read.
      raw("\(number == 0 ? 0 : number)")
    }
  }

  private mutating func raw(_ text: String) { bytes += text.utf8 }

  mutating func text(_ text: String) { TextBytes.appendJSON(text, to: &bytes) }
}
