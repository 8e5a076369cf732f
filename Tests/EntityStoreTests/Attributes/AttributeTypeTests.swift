import EntityStore
import Fixtures
import TestSupport
import Testing

/// Every type of attribute on every storage, against a plain evaluation in Swift.
@Suite(.oneThread) struct `Every type of attribute is compared and ordered by its stored form` {
  @Test(arguments: TestStorage.withServer)
  func `S8: whole numbers of every width, those above Int64.max too`(_ storage: TestStorage) throws
  {
    func whole<Value: Storable & FixedWidthInteger>(
      _ path: WritableKeyPath<Sampler, Value>, _ maybe: WritableKeyPath<MaybeSampler, Value?>
    ) throws {
      let values: [Value] = [.min, .min + 1, .max / 2, .max / 2 + 1, .max - 1, .max, 0, 1, 100]
      let sampled = try Sampled(storage, path, maybe, values, .own)
      try sampled.check()
      try sampled.checkRanges()
    }
    try whole(\.int, \.int)
    try whole(\.int8, \.int8)
    try whole(\.int16, \.int16)
    try whole(\.int32, \.int32)
    try whole(\.int64, \.int64)
    try whole(\.uint, \.uint)
    try whole(\.uint8, \.uint8)
    try whole(\.uint16, \.uint16)
    try whole(\.uint32, \.uint32)
    try whole(\.uint64, \.uint64)
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: numbers with a fraction, infinities and both zeros`(_ storage: TestStorage) throws {
    func real<Value: Storable & BinaryFloatingPoint>(
      _ path: WritableKeyPath<Sampler, Value>, _ maybe: WritableKeyPath<MaybeSampler, Value?>
    ) throws {
      let values: [Value] = [
        -.infinity, -.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude, -0.0, 0.0,
        .leastNonzeroMagnitude, .leastNormalMagnitude, 0.1, 1, 1 + .ulpOfOne,
        .greatestFiniteMagnitude, .infinity,
      ]
      let sampled = try Sampled(storage, path, maybe, values, .own)
      try sampled.check()
      try sampled.checkRanges()
    }
    try real(\.float, \.float)
    try real(\.double, \.double)
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: text and bytes`(_ storage: TestStorage) throws {
    let texts = try Sampled(storage, \.string, \.string, HostileText.samples, .byBytes)
    try texts.check()
    try texts.checkRanges()
    let bytes: [[UInt8]] = [
      [], [0], [0, 0], [1], [127], [128], [255], [255, 0], Array(0...7), Array(0...8),
      Array(0...6) + [8], Array(repeating: 255, count: 300),
    ]
    try Sampled(storage, \.bytes, \.bytes, bytes, .byBytes).check()
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: truths, and enums by their raw values, not by an order of their own`(
    _ storage: TestStorage
  ) throws {
    try Sampled(storage, \.bool, \.bool, [true, false], .falseFirst).check()
    let sizes = try Sampled(storage, \.size, \.size, Size.allCases, .byRawValue)
    try sizes.check()
    try sizes.checkRanges()
    let floors = try Sampled(storage, \.floor, \.floor, Floor.allCases, .byRawValue)
    try floors.check()
    try floors.checkRanges()
  }
}
