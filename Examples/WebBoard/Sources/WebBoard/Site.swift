import DeparturesModel
import Foundation
import HTTPServer
import Inspector
import Signalbox
import WebFeeds

/// The addresses of the board, and what each of them gives.
final class Site: Sendable {
  private let store: Store
  private let commands: any BoardCommands
  private let clocks: Clocks
  private let access: Access
  private let hosts: HostNames
  private let boards: LiveFeeds<BoardAddress>
  private let flights: LiveFeeds<Int>
  private let lists: SharedLists
  private let inspector: Inspector?
  private let shapes: [String: (shape: ShapeFeed, waker: HTTPWaker)]

  /// The most rows of a list that is sent as a whole.
  private static let mostRows = 2000

  init(_ run: BoardRun, _ options: Options, _ rounds: HTTPRounds) throws {
    store = run.store
    commands = run.dispatcher
    clocks = run.dispatcher.tables.clocks
    // It begins before the lists, so that it sees what they cost.
    // Unless it is asked for, only programs of this machine may reach it. Behind another name there
    // is a proxy, whose requests come from this machine, too. (One that doesn't send its name isn't
    // noticed; the guide says so.)
    let isOnlyHere = options.http.address.hasPrefix("127.") && options.hosts.isEmpty
    inspector =
      options.showsInspector || isOnlyHere
      ? Inspector(run.store, inRelease: options.showsInspector) : nil
    access = Access(options)
    hosts = HostNames(options)
    boards = LiveFeeds(limit: 200, rounds)
    flights = LiveFeeds(limit: 200, rounds)
    lists = try SharedLists(run)
    let shapes = try [
      "/shapes/flights": ShapeFeed(
        of: FetchedObjectsModel(BoardRequest().query, in: run.store),
        identity: lists.identity("shape of flights"), allowingOrigin: options.origin),
      "/shapes/airlines": ShapeFeed(
        of: FetchedObjectsModel(Query<Airline>().sorted { [$0.name.ascending] }, in: run.store),
        identity: lists.identity("shape of airlines"), allowingOrigin: options.origin),
    ]
    self.shapes = shapes.mapValues { ($0, HTTPWaker($0.didChange, rounds)) }
  }

  /// Removes what nobody has followed for a while, now and then, until the task is cancelled.
  func tidy() async throws {
    while true {
      try await Task.sleep(for: .seconds(5))
      boards.removeUnused()
      flights.removeUnused()
    }
  }

  /// Returns the reply to a request.
  @Sendable func reply(to request: HTTPRequest) -> HTTPReply {
    guard hosts.contains(request.headers["host"]) else {
      return .answer(
        .refused(
          status: 421, kind: "otherHost",
          "This server isn't known by that name; start it with --host to allow it."))
    }
    if let inspector, request.path.hasPrefix("/inspector") {
      return .answer(inspect(request, inspector))
    }
    switch request.path {
    case "/rename":
      if let refusal = Self.refusal(of: request, unless: ["POST"]) { return .answer(refusal) }
      guard access.mayWrite(request) else { return .answer(Self.forbidden) }
      return .answer(Rename.answer(request, commands))
    case _
    where request.path == "/board" || request.path == "/flight"
      || shapes[request.path] != nil:
      if request.method == "OPTIONS", let shape = shapes[request.path] {
        return .answer(shape.shape.preflight)
      }
      if let refusal = Self.refusal(of: request, unless: ["GET"]) { return .answer(refusal) }
      guard access.mayRead(request) else { return .answer(Self.forbidden) }
      return data(for: request)
    default:
      guard let file = PageFiles.answers[request.path] else { return .answer(Self.notFound) }
      let refusal = Self.refusal(of: request, unless: ["GET", "HEAD"])
      return .answer(refusal ?? (access.mayRead(request) ? file : Self.forbidden))
    }
  }

  /// Returns the answer to a request of the inspector's page, which shows everything.
  private func inspect(_ request: HTTPRequest, _ inspector: Inspector) -> WebAnswer {
    guard access.mayInspect(request) else { return Self.forbidden }
    if request.path == "/inspector" {
      return WebAnswer(status: 308, headers: [WebAnswer.Header("location", "/inspector/")])
    }
    guard request.path.hasPrefix("/inspector/") else { return Self.notFound }
    let path = String(request.path.dropFirst("/inspector/".count))
    return inspector.answer(request.method, path, request.query) ?? Self.notFound
  }

  private func data(for request: HTTPRequest) -> HTTPReply {
    do {
      if let shape = shapes[request.path] {
        switch shape.shape.reply(to: request.query) {
        case .answer(let answer): return .answer(answer)
        case .waiting(let orElse):
          return .waiting(shape.waker, atMost: .seconds(20), orElse: orElse)
        case .stream(let stream): return .stream(stream, shape.waker)
        }
      }
      let live = request.path == "/board" ? try board(request.query) : try flight(request.query)
      guard let live else {
        return .answer(
          .refused(
            status: 503, kind: "busy", "Too many different lists are followed; try again later."))
      }
      // A browser has the header, and a page that connects again the parameter.
      let last = request.headers["last-event-id"] ?? request.query["after"]
      return .stream(live.feed.stream(after: last), live.waker)
    } catch let error as BadAddress {
      return .answer(.refused(status: 400, kind: "badRequest", error.sentence))
    } catch {
      return .answer(.refused(error))
    }
  }

  // MARK: Feeds

  private func board(_ query: [String: String]) throws -> LiveFeed? {
    let address = try BoardAddress(query)
    return try boards.feed(for: address) { [clocks] in
      let query = address.request.query
      if try address.window == nil && store.count(query) > Self.mostRows {
        throw BadAddress("This list is long; ask for a part of it with from and rows.")
      }
      let model = try FetchedObjectsModel(
        address.window.map { query.limit($0.count) } ?? query, in: store)
      if let window = address.window {
        try model.setWindow(offset: window.lowerBound, limit: window.count)
      }
      let identity = lists.identity("board \(address.name)")
      let flights = EventStreamList("flights", of: model, identity: identity) {
        FeedValues(flight: $0, clocks: clocks)
      }
      let total = EventStreamList("total", after: model, identity: identity) {
        FeedValues(["rows": $0.totalCount.storedValue])
      }
      return EventStreamFeed([flights, lists.clock, lists.stages, total])
    }
  }

  private func flight(_ query: [String: String]) throws -> LiveFeed? {
    guard let id = query["id"].flatMap({ Int($0) }) else {
      throw BadAddress("id is the number of a flight.")
    }
    return try flights.feed(for: id) { [clocks] in
      let query = Query<Departure>().filter { $0.id == id }.including {
        $0.carrier.name
        $0.destination.name
        $0.aircraft
      }
      let model = try FetchedObjectsModel(query, in: store)
      let flight = EventStreamList(
        "flight", of: model, identity: lists.identity("flight \(id)"),
        row: { FeedValues(detailsOf: $0, clocks: clocks) })
      return EventStreamFeed([flight])
    }
  }

  // MARK: Refusals

  private static let notFound = WebAnswer.refused(
    status: 404, kind: "notFound", "There is nothing at this address.")

  private static let forbidden = WebAnswer.refused(
    status: 403, kind: "forbidden", "This isn't allowed from there.")

  private static func refusal(of request: HTTPRequest, unless methods: [String]) -> WebAnswer? {
    if methods.contains(request.method) { return nil }
    return WebAnswer.refused(
      status: 405, kind: "badMethod",
      "This address takes \(methods.joined(separator: " and ")) only."
    ).adding([WebAnswer.Header("allow", methods.joined(separator: ", "))])
  }
}
