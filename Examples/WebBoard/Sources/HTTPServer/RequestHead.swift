internal import CMicroHTTPD
internal import Foundation
internal import WebFeeds

/// The first line and the headers of a request, as they came, and what is wrong with them.
///
/// Whatever another server on the way could read in another way is refused, and the connection is
/// closed. So nobody can hide a request in another one.
struct RequestHead {
  /// A header or a parameter as it came.
  struct Entry {
    var name: String
    var value: String
    /// True for a header that goes on in another line, which servers read in different ways.
    var isFolded = false
  }

  private(set) var request: HTTPRequest
  /// The answer to a request that can't be read, or nil.
  private(set) var fault: WebAnswer?
  /// The length of the body, or nil if it is sent in pieces, with no length before it.
  private(set) var length: Int?

  /// The most headers, and the most parameters.
  private static let mostEntries = 100

  /// Reads a head; `limit` is the most bytes of the path, of names and of values.
  init(
    _ method: String, _ path: String, _ version: String, headers: [Entry], parameters: [Entry],
    limit: Int
  ) {
    request = HTTPRequest(method: method, path: path)
    let size = (headers + parameters).reduce(path.utf8.count) {
      $0 + $1.name.utf8.count + $1.value.utf8.count + 4
    }
    if size > limit || headers.count > Self.mostEntries || parameters.count > Self.mostEntries {
      fault = Self.fault(431, "tooLarge", "The address and the headers are too long.")
      return
    }
    take(headers, version)
    if fault == nil { take(path, parameters) }
  }

  private mutating func take(_ headers: [Entry], _ version: String) {
    for header in headers {
      if header.isFolded { return refuse("A header goes on in another line.") }
      guard Self.isToken(header.name), header.value.utf8.allSatisfy(Self.isPlain) else {
        return refuse("A header has characters that it can't have.")
      }
      let name = header.name.lowercased()
      if request.headers[name] == nil {
        request.headers[name] = header.value
      } else if ["host", "content-length", "transfer-encoding"].contains(name) {
        return refuse("There are two headers \(name).")
      }
    }
    if request.headers["host"] == nil, version != "HTTP/1.0" {
      return refuse("The header host is missing.")
    }
    takeLength()
  }

  private mutating func takeLength() {
    if let encoding = request.headers["transfer-encoding"] {
      if request.headers["content-length"] != nil {
        return refuse("There are two lengths of the body.")
      }
      guard encoding.lowercased() == "chunked" else {
        fault = Self.fault(
          501, "unsupported", "The body may be chunked, and not encoded otherwise.")
        return
      }
    } else if let text = request.headers["content-length"] {
      guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(text) else {
        return refuse("The header content-length is no number.")
      }
      length = number
    }
  }

  private mutating func take(_ path: String, _ parameters: [Entry]) {
    guard path.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let path = Self.decoded(path) else {
      return refuse("The address has a percent sign that stands for no character.")
    }
    request.path = path
    for parameter in parameters {
      guard let name = Self.decoded(parameter.name), let value = Self.decoded(parameter.value)
      else {
        return refuse("The address has a percent sign that stands for no character.")
      }
      request.query[name] = value
    }
  }

  private mutating func refuse(_ sentence: String) {
    fault = Self.fault(400, "badRequest", sentence)
  }

  private static func fault(_ status: Int, _ kind: String, _ sentence: String) -> WebAnswer {
    WebAnswer.refused(status: status, kind: kind, sentence).adding([Exchange.closing])
  }

  // MARK: Characters

  /// Returns true for a name of RFC 9110, 5.6.2.
  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == 0x09
  }

  /// Returns a text without its percent signs, or nil if they stand for no text or for the
  /// character 0.
  static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      rest = rest.dropFirst(2)
      guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
        let digits = String(digits), let number = UInt8(digits, radix: 16)
      else { return nil }
      bytes.append(number)
    }
    return bytes.contains(0) ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
