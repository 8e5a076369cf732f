import EntityStore
import Foundation
import FoundationSupport

extension BenchmarkSuite {
  /// What it costs that a file comes in small pieces, as a network gives them.
  static let imports = BenchmarkSuite {
    let size = 8_000_000
    Benchmark(
      "FoundationSupport/import-line/8MB-in-1400-byte-pieces", size: 1400, unit: .microseconds,
      aim: 2,
      measured: .timed {
        let line = LongLine(size)
        return { stopwatch in try line.importIt(inPiecesOf: 1400, &stopwatch) }
      },
      baseline: .timed("one piece") {
        let line = LongLine(size)
        return { stopwatch in try line.importIt(inPiecesOf: .max, &stopwatch) }
      })
  }
}

/// An object with a long text, as one with a picture is.
private struct LongLine {
  private struct Note: Entity {
    let id: Int
    var text: String
    static let attributes = Attributes(.id(\Note.id), .attribute("text", \.text))
    static let schema = Schema(attributes, Note.init)
  }

  private let data: Data

  init(_ size: Int) {
    data =
      Data(
        #"{"format":"signalbox-objects","version":1,"entities":[{"name":"Note","count":1}]}"#.utf8)
      + Data("\n{\"entity\":\"Note\",\"values\":{\"id\":1,\"text\":\"".utf8)
      + Data(repeating: UInt8(ascii: "x"), count: size) + Data("\"}}\n".utf8)
  }

  /// Imports it into a store of its own.
  func importIt(inPiecesOf size: Int, _ stopwatch: inout Stopwatch) throws {
    let store = try Store(.inMemory, entities: [Note.self])
    let size = min(size, data.count)
    let pieces = stride(from: 0, to: data.count, by: size).map {
      data[$0..<min($0 + size, data.count)]
    }
    var rest = pieces[...]
    try stopwatch.measure(operations: 1) { _ = try store.importJSONLines { rest.popFirst() } }
  }
}
