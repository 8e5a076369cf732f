/// A request, with its whole body.
///
/// Its texts come from elsewhere: bytes that aren't UTF-8 have been replaced.
public struct HTTPRequest: Sendable, Hashable {
  /// The method, such as `GET`.
  public var method: String
  /// The path, with percent signs decoded.
  public var path: String
  /// The parameters of the address; of a name that is repeated, the last value.
  public var query: [String: String]
  /// The headers by their names in lower case; of a name that is repeated, the first value.
  public var headers: [String: String]
  /// The body.
  public var body: [UInt8]

  /// Creates a request.
  public init(
    method: String = "GET", path: String, query: [String: String] = [:],
    headers: [String: String] = [:], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }
}
