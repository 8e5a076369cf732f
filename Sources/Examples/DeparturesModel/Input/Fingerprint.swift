/// A check sum like FNV-1a with 64 bits.
///
/// It is the same on every system and in every run.
public struct Fingerprint: Hashable, CustomStringConvertible {
  /// The check sum.
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Creates the check sum of nothing.
  public init() {}

  /// Adds a text and its end, so that "ab", "c" differs from "a", "bc".
  public mutating func add(_ text: String) {
    for byte in text.utf8 { mix(byte) }
    mix(0)
  }

  package mutating func add(_ number: Int?) {
    add(number.map(String.init) ?? "NA")
  }

  private mutating func mix(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  /// The check sum as sixteen hexadecimal digits.
  public var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension DayTables {
  /// A check sum that identifies this data, so that a run continues only from its own store.
  package var fingerprint: Fingerprint {
    var sum = Fingerprint()
    sum.add(title)
    sum.add(clockOffset)
    for airline in airlines { [airline.code, airline.name].forEach { sum.add($0) } }
    for airport in airports { [airport.code, airport.name].forEach { sum.add($0) } }
    for plane in planes {
      [plane.tailNumber, plane.manufacturer, plane.model].forEach { sum.add($0) }
      [plane.seats, plane.year].forEach { sum.add($0) }
    }
    for flight in flights {
      [flight.carrier, flight.tailNumber ?? "", flight.origin, flight.destination]
        .forEach { sum.add($0) }
      [flight.number, flight.scheduled.sinceEpoch, flight.delay, flight.airTime, flight.distance]
        .forEach { sum.add($0) }
    }
    return sum
  }
}
