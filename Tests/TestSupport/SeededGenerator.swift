/// A random number generator that gives the same numbers for the same seed (SplitMix64).
///
///     var generator = SeededGenerator(seed: 1)
///     Int.random(in: 0..<10, using: &generator)
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator.
  public init(seed: some BinaryInteger) {
    state = UInt64(truncatingIfNeeded: seed)
  }

  /// Creates the generator of a random test that has one run, not one for each seed.
  ///
  /// `SIGNALBOX_SEED` gives it other numbers, too.
  public init(number: some BinaryInteger) {
    self.init(seed: UInt64(truncatingIfNeeded: number) &+ firstSeed)
  }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns whether something happens that happens with this probability.
  public mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }
}
