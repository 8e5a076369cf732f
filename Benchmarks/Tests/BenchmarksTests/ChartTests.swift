import Foundation
import Testing

@testable import benchmarks

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite struct ChartTests {
  @Test func `Each group has one chart with both lines in ascending order`() throws {
    let charts = try Report(comparisons: [
      .sample("Relays/send/100", measured: [200], baseline: [300]),
      .sample("Relays/cancel/1", measured: [1], baseline: [2]),
      .sample("Relays/send/10", measured: [20], baseline: [30]),
    ]).charts

    #expect(charts.map(\.title) == ["Relays/send", "Relays/cancel"])
    #expect(charts.map(\.fileName) == ["Relays-send.svg", "Relays-cancel.svg"])
    #expect(charts[0].series.map(\.name) == ["Signalbox", "plain"])
    #expect(charts[0].series.map { $0.points.map(\.size) } == [[10, 100], [10, 100]])
    #expect(charts[0].series.map { $0.points.map(\.cost) } == [[20, 200], [30, 300]])
  }

  @Test(arguments: [[1], [0], [0, 1, 10], [5, 7], [1, 10, 100, 1_000_000], Array(1...40)])
  func `A chart is well-formed and inside its borders`(sizes: [Int]) throws {
    let comparisons = try sizes.map { size in
      try Comparison.sample(
        "Relays/a & b < c \"d\"/\(size)", measured: [Double(size) * 3], baseline: [7],
        baselineName: "<plain> & 'simple'")
    }
    let chart = try #require(Report(comparisons: comparisons).charts.first)
    let reading = try #require(SVGReading(chart.svg))

    #expect(reading.texts.contains("Relays/a & b < c \"d\""))
    #expect(reading.texts.contains("<plain> & 'simple'"))
    #expect(reading.texts.contains("Signalbox"))
    #expect(reading.elements.prefix(2) == ["svg", "rect"])
    #expect(reading.places.allSatisfy { $0.isFinite && $0 >= 0 && $0 <= 720 })
    if sizes.count > 1 {
      #expect(reading.elements.count { $0 == "circle" } == sizes.count + 1)
      #expect(reading.texts.contains("size"))
      #expect(reading.texts.contains("time per operation"))
    }
  }

  @Test func `An axis covers its values between round ticks`() {
    for (values, ticks) in [
      ([12.3, 2225], [10, 100, 1000]), ([12, 17], [10, 20]), ([10, 10], [10, 20]),
      ([3, 40], [2, 5, 10, 20, 50]), ([], [1, 2]), ([0, 5], [5, 10]),
    ] as [([Double], [Double])] {
      let axis = LogAxis(covering: values)
      let isSame = zip(axis.ticks, ticks).allSatisfy { abs($0 / $1 - 1) < 1e-9 }
      #expect(isSame && axis.ticks.count == ticks.count, "\(values): \(axis.ticks)")
      #expect(axis.position(of: axis.lower) == 0)
      #expect(axis.position(of: axis.upper) == 1)
    }
  }
}

/// What a parser finds in a picture, or nil if it is not well-formed.
private final class SVGReading: NSObject, XMLParserDelegate {
  private(set) var elements: [String] = []
  private(set) var texts: [String] = []
  private(set) var places: [Double] = []
  private var text: String?

  init?(_ svg: String) {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    guard parser.parse() else { return nil }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    elements.append(name)
    if name == "text" { text = "" }
    let keys = ["x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "width", "height"]
    places += keys.compactMap { attributes[$0] }.map { Double($0) ?? .nan }
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) {
    text? += characters
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    if name == "text", let text { texts.append(text) }
    text = nil
  }
}
