/// The answer to a request from a browser: a status, headers and a body.
///
/// It has no HTTP in it. Each server writes it in its own way:
///
///     let answer = shape.answer(to: request.query)
///     response.status = answer.status
///     for header in answer.headers { response.headers[header.name] = header.value }
///     response.body = answer.body
public struct WebAnswer: Sendable, Hashable {
  /// A header of the answer.
  public struct Header: Sendable, Hashable {
    /// The name, in lower case.
    public let name: String
    /// The value, without line breaks.
    public let value: String

    /// Creates a header.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The status, such as 200.
  public var status: Int
  /// The headers, each name once.
  public var headers: [Header]
  /// The body, as bytes of UTF-8.
  public var body: [UInt8]

  /// Creates an answer.
  public init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Returns the answer with more headers, whose names it doesn't have yet.
  public func adding(_ headers: [Header]) -> WebAnswer {
    WebAnswer(status: status, headers: self.headers + headers, body: body)
  }

  /// The value of the header with a name, or nil if there is none.
  public subscript(name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension WebAnswer {
  /// Creates an answer in JSON, which nothing on the way may keep.
  package init(status: Int, json body: [UInt8]) {
    self.init(
      status: status,
      headers: [Header("content-type", "application/json"), Header("cache-control", "no-store")],
      body: body)
  }
}
