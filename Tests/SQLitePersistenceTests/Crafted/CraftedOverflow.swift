/// A file whose long values are longer than what they take: their pages go round.
enum CraftedOverflow {
  private static let size = 4096

  /// How many bytes each letter's note has at first: the lengths are written with as many bytes as those after.
  static let length = 17_000

  /// Has each text of `length` bytes be longer by `pages`, and its last page lead to its first.
  ///
  /// - Returns: how many texts there are.
  static func stretch(_ bytes: inout [UInt8], pages: Int) -> Int {
    var found = 0
    let longer = pages * (size - 4)
    for page in 1..<bytes.count / size where bytes[page * size] == 13 {
      let start = page * size
      for index in 0..<(Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])) {
        let pointer = start + 8 + 2 * index
        let cell = start + (Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1]))
        var place = cell
        let payload = number(bytes, &place)
        guard payload > length, payload < length + 300 else { continue }
        let payloadEnd = place
        _ = number(bytes, &place)
        let local = place
        let headerEnd = local + number(bytes, &place)
        var type = 0
        var typeEnd = place
        while place < headerEnd, type != 2 * length + 13 {
          type = number(bytes, &place)
          typeEnd = place
        }
        guard type == 2 * length + 13 else { continue }
        put(payload + longer, before: payloadEnd, &bytes)
        put(type + 2 * longer, before: typeEnd, &bytes)
        // As many bytes stand in the cell as before.
        let least = (size - 12) * 32 / 255 - 23
        let inside = least + (payload - least) % (size - 4)
        let first = local + (inside <= size - 35 ? inside : least)
        var last = link(bytes, first)
        while case let next = link(bytes, (last - 1) * size), next > 0 { last = next }
        bytes.replaceSubrange(
          (last - 1) * size..<(last - 1) * size + 4, with: bytes[first..<first + 4])
        found += 1
      }
    }
    return found
  }

  private static func link(_ bytes: [UInt8], _ place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Reads a number of SQLite's, seven bits a byte.
  private static func number(_ bytes: [UInt8], _ place: inout Int) -> Int {
    var number = 0
    while true {
      let byte = bytes[place]
      place += 1
      number = number << 7 | Int(byte & 127)
      if byte < 128 { return number }
    }
  }

  /// Writes one of three bytes.
  private static func put(_ number: Int, before end: Int, _ bytes: inout [UInt8]) {
    bytes[end - 3] = UInt8(number >> 14 & 127) | 128
    bytes[end - 2] = UInt8(number >> 7 & 127) | 128
    bytes[end - 1] = UInt8(number & 127)
  }
}
