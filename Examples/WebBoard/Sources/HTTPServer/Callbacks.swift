internal import CMicroHTTPD
internal import Foundation

/// The functions that libmicrohttpd calls.
enum Callbacks {
  private static func core(_ context: UnsafeMutableRawPointer?) -> HTTPCore? {
    context.map { Unmanaged<HTTPCore>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func exchange(
    _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> Exchange? {
    place?.pointee.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Takes the parts of a request: its head, pieces of its body, and its end.
  static let handle: MHD_AccessHandlerCallback = {
    context, connection, url, method, _, data, size, place in
    guard let core = core(context), let connection, let url, let method, let size, let place else {
      return .NO
    }
    guard let exchange = exchange(place) else {
      let request = HTTPRequest(
        method: String(cString: method), path: String(cString: url),
        query: values(of: connection, .GET_ARGUMENT_KIND) { _, new in new },
        headers: values(of: connection, .HEADER_KIND) { old, _ in old })
      let exchange = Exchange(connection, core, request)
      place.pointee = Unmanaged.passRetained(exchange).toOpaque()
      core.begin(exchange)
      // A body that is known to be too long isn't waited for.
      if let length = exchange.request.headers["content-length"].flatMap({ Int($0) }),
        length > core.options.bodyLimit
      {
        exchange.isTooLong = true
        core.owesNothing(connection)
        return exchange.answer()
      }
      return .YES
    }
    if size.pointee > 0, let data {
      let piece = UnsafeRawBufferPointer(start: data, count: size.pointee)
      if exchange.request.body.count + piece.count > core.options.bodyLimit {
        exchange.isTooLong = true
        exchange.request.body = []
      } else if !exchange.isTooLong {
        exchange.request.body.append(contentsOf: piece)
      }
      size.pointee = 0
      return .YES
    }
    core.owesNothing(connection)
    return exchange.answer()
  }

  /// A request has been answered, or its connection is closed.
  static let completed: MHD_RequestCompletedCallback = { context, connection, place, reason in
    guard let core = core(context), let exchange = exchange(place) else { return }
    core.end(exchange)
    if let value = place?.pointee { Unmanaged<Exchange>.fromOpaque(value).release() }
    place?.pointee = nil
    // The connection may send another request.
    if reason == .REQUEST_TERMINATED_COMPLETED_OK, let connection { core.owes(connection) }
  }

  /// A connection has been opened or closed.
  static let connected: MHD_NotifyConnectionCallback = { context, connection, _, reason in
    guard let core = core(context), let connection else { return }
    if reason == .CONNECTION_NOTIFY_STARTED {
      core.owes(connection)
    } else {
      core.owesNothing(connection)
    }
  }

  private final class Values {
    var all: [String: String] = [:]
    let combine: (String, String) -> String

    init(_ combine: @escaping (String, String) -> String) { self.combine = combine }
  }

  private static func values(
    of connection: OpaquePointer, _ kind: MHD_ValueKind,
    _ combine: @escaping (String, String) -> String
  ) -> [String: String] {
    let values = Values(combine)
    MHD_get_connection_values(
      connection, kind,
      { context, kind, name, value in
        guard let context, let name else { return .YES }
        let values = Unmanaged<Values>.fromOpaque(context).takeUnretainedValue()
        var key = String(cString: name)
        if kind == .HEADER_KIND { key = key.lowercased() }
        let new = value.map { String(cString: $0) } ?? ""
        values.all.merge([key: new], uniquingKeysWith: values.combine)
        return .YES
      }, Unmanaged.passUnretained(values).toOpaque())
    return values.all
  }
}
