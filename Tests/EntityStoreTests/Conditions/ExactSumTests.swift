import TestSupport
import Testing

@testable import EntityStore

@Suite struct ExactSumTests {
  private func sum(_ numbers: [Double]) -> ExactSum {
    var sum = ExactSum()
    for number in numbers { sum.add(number) }
    sum.normalize()
    return sum
  }

  /// The numbers that something may go wrong with.
  private static let hard: [Double] = [
    0, 1, 0.1, 1e16, 1e100, 3e-200, Double(bitPattern: 1), Double(bitPattern: 0xF_FFFF_FFFF_FFFF),
    0x1p-1022, 0x1p31, 0x1p32,
    0x1p53, 0x1.fffffffffffffp52, 0x1p-31, Double(bitPattern: 3), 0x1p1000, 0x1.fffffffffffffp1000,
  ].flatMap { [$0, -$0] }

  @Test func `A number alone is its own sum`() {
    for number in Self.hard + [.greatestFiniteMagnitude, -.greatestFiniteMagnitude] {
      #expect(sum([number]).total == number, "\(number)")
    }
    for exponent in -1074...1023 {
      for number in [Double(sign: .plus, exponent: exponent, significand: 1), 0] {
        let number = number * 1.2345678
        #expect(sum([number]).total == number)
        #expect(sum([-number]).total == -number)
      }
    }
  }

  @Test(.oneThread) func `Sums of two and of three numbers are rounded once`() {
    withEvery("first", in: Self.hard) { first in
      withEvery("second", in: Self.hard) { second in
        expectEqual(sum([first, second]).total, first + second)
        withEvery("third", in: Self.hard) { third in
          expectEqual(sum([first, second, third]).total, exactSum([first, second, third]))
        }
      }
    }
  }

  @Test func `A sum is the same in any order and any division`() {
    withEvery("seed", in: seeds(300)) { seed in
      var random = SeededGenerator(seed: seed)
      let numbers = (0..<Int.random(in: 1...40, using: &random)).map { _ -> Double in
        if random.chance(0.3) { return Self.hard.randomElement(using: &random) ?? 0 }
        let exponent = Int.random(in: seed % 2 == 0 ? -60...60 : -1070...960, using: &random)
        let significand = Double.random(in: -2...2, using: &random)
        return Double(sign: .plus, exponent: exponent, significand: significand)
      }
      let whole = sum(numbers)
      expectEqual(whole.total, exactSum(numbers))
      let shuffled = numbers.shuffled(using: &random)
      expectEqual(sum(shuffled), whole)
      let cut = Int.random(in: 0...numbers.count, using: &random)
      var parts = sum(Array(shuffled[..<cut]))
      parts.add(sum(Array(shuffled[cut...])))
      parts.normalize()
      expectEqual(parts, whole)
      // What is added and taken away leaves nothing, not even room.
      expectEqual(sum(numbers + numbers.map { -$0 }), ExactSum())
    }
  }

  @Test func `A sum between two numbers is rounded to the even one, unless something is left`() {
    let half = 0x1p-53
    let least = Double.leastNonzeroMagnitude
    let next = Double(1).nextUp
    #expect(sum([1, half]).total == 1)
    #expect(sum([1, half, least]).total == next)
    #expect(sum([1, half, -least]).total == 1)
    #expect(sum([next, half]).total == next.nextUp)
    #expect(sum([-1, -half, -least]).total == -next)
  }

  @Test func `What is too large is infinite, and only in the end`() {
    let large = Double.greatestFiniteMagnitude
    #expect(sum([large, large]).total == .infinity)
    #expect(sum([-large, -large]).total == -.infinity)
    #expect(sum([large, large, -large]).total == large)
    #expect(sum([large, large, large, -large, -large, -large, 1]).total == 1)
    #expect(sum([.infinity, -large]).total == .infinity)
    #expect(sum([.infinity, -.infinity, 1]).total.isNaN)
    #expect(sum([.infinity, -.infinity]) == sum([-.infinity, .infinity]))
  }

  @Test func `S8: the average of finite numbers is finite, though their sum may not be`() {
    let large = Double.greatestFiniteMagnitude
    for count in 1...40 {
      let numbers = Array(repeating: large, count: count)
      let average = sum(numbers).average(of: count)
      #expect(average <= large && average >= large.nextDown, "\(count)")
      #expect(sum(numbers.map { -$0 }).average(of: count) == -average)
      // Halves have a sum, and so an average.
      let halves = sum(numbers.map { $0 / 128 })
      #expect(average == halves.total / Double(count) * 128, "\(count)")
    }
    #expect(sum([large, large, -large]).average(of: 3) == large / 3)
    #expect(sum([large, large, .leastNonzeroMagnitude]).average(of: 4) == large / 2)
    #expect(sum([1, 2]).average(of: 2) == 1.5)
    #expect(sum([.infinity, 1]).average(of: 2) == .infinity)
    #expect(sum([.infinity, -.infinity, large, large]).average(of: 4).isNaN)
  }

  @Test func `Carries go through thousands of numbers`() {
    #expect(sum(Array(repeating: 0.1, count: 100_000)).total == 10_000)
    #expect(sum(Array(repeating: -0x1.fffffffffffffp0, count: 4096)).total == -0x1.fffffffffffffp12)
    var sums = ExactSum()
    for _ in 0..<1000 { sums.add(sum(Array(repeating: 0.1, count: 100))) }
    sums.normalize()
    #expect(sums.total == 10_000)
  }

  @Test func `A sum of whole numbers is beyond Int only where the result is`() {
    func total(_ numbers: [Int64]) -> Int? {
      var sum = WholeSum()
      for number in numbers { sum.add(number) }
      var parts = WholeSum()
      for number in numbers.reversed() {
        var part = WholeSum()
        part.add(number)
        parts.add(part)
      }
      #expect(sum == parts)
      return sum.total
    }
    #expect(total([]) == 0)
    #expect(total([.max, 1]) == nil)
    #expect(total([.max, 1, -1]) == .max)
    #expect(total([.min, -1]) == nil)
    #expect(total([.min, -1, 1]) == .min)
    #expect(total([.max, .min]) == -1)
    #expect(total(Array(repeating: .max, count: 9) + Array(repeating: .min, count: 9) + [10]) == 1)
    var wide = WholeSum()
    wide.add(UInt64.max)
    #expect(wide.total == nil)
    wide.add(-1 as Int64)
    wide.add(Int64.min)
    #expect(wide.total == Int.max - 1)
  }
}
