#if PostgreSQL
internal import CPostgreSQL
@_spi(Storage) internal import EntityStore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The connection strings of libpq.
enum ServerAddress {
  /// Throws if a connection string can't be parsed.
  ///
  /// The error doesn't have the string, because there may be a password in it.
  static func check(_ connectionString: String) throws {
    if !connectionString.utf8.contains(0), options(connectionString) != nil { return }
    throw StoreError.fault(
      .cannotOpen,
      "The connection string can't be parsed; use the form postgresql://role@host:5432/database or "
        + "'host=… dbname=…'")
  }

  /// Returns the options that a connection string has, or nil if it can't be parsed.
  private static func options(_ connectionString: String) -> [String: String]? {
    guard let options = PQconninfoParse(connectionString, nil) else { return nil }
    defer { PQconninfoFree(options) }
    var found: [String: String] = [:]
    var next = options
    while let keyword = next.pointee.keyword {
      if let value = next.pointee.val {
        found[String(cString: keyword)] = String(cString: value)
      }
      next += 1
    }
    return found
  }

  /// Returns the settings with which a server over a network is trusted.
  ///
  /// libpq would go on in clear text, and trust any certificate. So the certificate is checked,
  /// unless the string, PGSSLMODE or a service file says otherwise.
  static func encryption(_ connectionString: String) -> [(String, String)] {
    let options = options(connectionString) ?? [:]
    let isSaid =
      options["sslmode"] != nil || options["service"] != nil
      || getenv("PGSSLMODE") != nil || getenv("PGSERVICE") != nil
    if isSaid { return [] }
    // An address is what libpq connects to, if there is one. The name is the one to check then.
    func named(_ option: String, _ variable: String) -> String? {
      options[option] ?? getenv(variable).map { String(cString: $0) }
    }
    let all = [named("hostaddr", "PGHOSTADDR"), named("host", "PGHOST")].compactMap(\.self)
    let isLocal = all.joined(separator: ",").lowercased().split(separator: ",").allSatisfy { host in
      ["/", "@", "127."].contains { host.hasPrefix($0) } || ["localhost", "::1"].contains(host)
    }
    return isLocal ? [] : [("sslmode", "verify-full")]
  }

  /// Returns the setting with which libpq looks for the primary server, if there are several hosts.
  ///
  /// libpq would take the first one that answers, even if it is a standby.
  static func primary(_ connectionString: String) -> [(String, String)] {
    let options = options(connectionString) ?? [:]
    func named(_ option: String, _ variable: String) -> String? {
      options[option] ?? getenv(variable).map { String(cString: $0) }
    }
    // If a service file sets this option, a setting of ours would override it.
    let isSaid =
      named("target_session_attrs", "PGTARGETSESSIONATTRS") != nil
      || named("service", "PGSERVICE") != nil
    let hosts = [named("hostaddr", "PGHOSTADDR"), named("host", "PGHOST")].compactMap(\.self)
    guard !isSaid, hosts.contains(where: { $0.contains(",") }), PQlibVersion() >= 140_000 else {
      return []
    }
    return [("target_session_attrs", "primary")]
  }

  /// Returns the kind of a fault if a server can't be reached, and what to do.
  ///
  /// libpq gives no code for it.
  static func advice(_ message: String) -> (StorageFault.Kind, String) {
    if message.contains("connection slots") || message.contains("too many clients") {
      return (.busy, "it has no connection left; try again, or raise max_connections")
    }
    if message.contains("server is in hot standby mode") {
      return (.readOnly, "it is a standby; connect to the primary server")
    }
    if message.contains("server does not support SSL") {
      return (
        .cannotOpen,
        "it has no TLS, which is asked for over a network; switch it on, or say sslmode=disable to send "
          + "everything in clear text"
      )
    }
    if ["certificate verify failed", "root certificate", "server certificate"].contains(
      where: { message.contains($0) })
    {
      return (
        .cannotOpen,
        "its certificate is checked: name the file of its authority with sslrootcert, or say "
          + "sslmode=require to trust any server"
      )
    }
    return (.cannotOpen, "check the address and the rights")
  }
}
#endif
