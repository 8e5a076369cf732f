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
    context, connection, url, method, version, data, size, place in
    guard let core = core(context), let connection, let url, let method, let version, let size,
      let place
    else { return .NO }
    guard let exchange = exchange(place) else {
      let head = RequestHead(
        String(cString: method), String(cString: url), String(cString: version),
        headers: entries(of: connection, .HEADER_KIND),
        parameters: entries(of: connection, .GET_ARGUMENT_KIND), limit: core.options.headerLimit)
      let exchange = Exchange(connection, core, head.request)
      place.pointee = Unmanaged.passRetained(exchange).toOpaque()
      core.begin(exchange)
      var fault = core.isEnding ? Exchange.ending : head.fault
      if let length = head.length, length > core.options.bodyLimit { fault = Exchange.tooLong }
      guard let fault else { return .YES }
      // The rest isn't waited for: the connection is closed.
      core.owesNothing(connection)
      return exchange.send(fault)
    }
    if size.pointee > 0, let data {
      let piece = UnsafeRawBufferPointer(start: data, count: size.pointee)
      // A body without a length can't be answered in its middle, only ended.
      if exchange.request.body.count + piece.count > core.options.bodyLimit { return .NO }
      exchange.request.body.append(contentsOf: piece)
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

  private final class Entries {
    var all: [RequestHead.Entry] = []
  }

  /// Returns true if a header's value begins behind its name.
  ///
  /// libmicrohttpd 0.9 adds a line that begins with a space to the name, which it copies elsewhere.
  /// In the place of the colon there is a 0.
  private static func isOneLine(
    _ end: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>?
  ) -> Bool {
    guard let value, end < value else { return false }
    var place = end
    while place < value {
      guard [0, 0x20, 0x09].contains(place.pointee) else { return false }
      place += 1
    }
    return true
  }

  /// Returns the headers or parameters as they came, each with all of its bytes.
  private static func entries(
    of connection: OpaquePointer, _ kind: MHD_ValueKind
  ) -> [RequestHead.Entry] {
    let entries = Entries()
    MHD_get_connection_values_n(
      connection, kind,
      { context, kind, name, nameSize, value, valueSize in
        guard let context, let name else { return .YES }
        func text(_ start: UnsafePointer<CChar>, _ size: Int) -> String {
          String(decoding: UnsafeRawBufferPointer(start: start, count: size), as: UTF8.self)
        }
        Unmanaged<Entries>.fromOpaque(context).takeUnretainedValue().all.append(
          RequestHead.Entry(
            name: text(name, nameSize), value: value.map { text($0, valueSize) } ?? "",
            isFolded: kind == .HEADER_KIND && !Callbacks.isOneLine(name + nameSize, value)))
        return .YES
      }, Unmanaged.passUnretained(entries).toOpaque())
    return entries.all
  }
}
