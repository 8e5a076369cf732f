import Foundation
import FoundationSupport
import TestSupport

/// Makes predicates of all parts about numbers that may be nil, put together anyhow.
struct RandomPredicates {
  typealias Truth = any StandardPredicateExpression<Bool>
  typealias Number = any StandardPredicateExpression<Int>
  typealias MaybeNumber = any StandardPredicateExpression<Int?>
  typealias MaybeTruth = any StandardPredicateExpression<Bool?>

  var generator: SeededGenerator

  mutating func predicate() -> Predicate<Item> {
    let depth = Int.random(in: 1...4, using: &generator)
    return Predicate { truth($0, depth) }
  }

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  private mutating func truth(
    _ item: PredicateExpressions.Variable<Item>, _ depth: Int
  ) -> Truth {
    if depth == 0 {
      switch pick(4) {
      case 0: return PredicateExpressions.build_KeyPath(root: item, keyPath: \Item.isOpen)
      case 1: return PredicateExpressions.build_Arg(generator.chance(0.5))
      case 2: return isNil(maybe(item, 0))
      default: return compared(number(item, 0), number(item, 0))
      }
    }
    let next = depth - 1
    switch pick(10) {
    case 0: return and(truth(item, next), truth(item, next))
    case 1: return or(truth(item, next), truth(item, next))
    case 2: return not(truth(item, next))
    case 3: return compared(number(item, next), number(item, next))
    case 4: return equal(maybe(item, next), maybe(item, next))
    case 5: return chosen(truth(item, next), truth(item, next), truth(item, next))
    case 6: return orElse(maybeTruth(item, next), truth(item, next))
    case 7: return among(maybe(item, next))
    case 8:
      // What is behind the ! is there wherever it is asked for, or the predicate is refused.
      let maybe = maybe(item, generator.chance(0.7) ? 0 : next)
      let test = compared(unwrapped(maybe), number(item, next))
      return generator.chance(0.5) ? and(not(isNil(maybe)), test) : or(isNil(maybe), test)
    default: return inRange(number(item, next), number(item, next))
    }
  }

  private mutating func number(
    _ item: PredicateExpressions.Variable<Item>, _ depth: Int
  ) -> Number {
    if depth == 0 {
      switch pick(3) {
      case 0: return PredicateExpressions.build_KeyPath(root: item, keyPath: \Item.year)
      case 1: return PredicateExpressions.build_KeyPath(root: item, keyPath: \Item.id)
      default: return PredicateExpressions.build_Arg(constant())
      }
    }
    let next = depth - 1
    switch pick(3) {
    case 0: return orElse(maybe(item, next), number(item, next))
    case 1: return chosen(truth(item, next), number(item, next), number(item, next))
    default: return number(item, 0)
    }
  }

  private mutating func maybe(
    _ item: PredicateExpressions.Variable<Item>, _ depth: Int
  ) -> MaybeNumber {
    if depth == 0 {
      switch pick(3) {
      case 0:
        return PredicateExpressions.build_Arg(generator.chance(0.5) ? nil : constant() as Int?)
      default: return PredicateExpressions.build_KeyPath(root: item, keyPath: \Item.size)
      }
    }
    let next = depth - 1
    return generator.chance(0.5)
      ? chosen(truth(item, next), maybe(item, next), maybe(item, next))
      : mapped(maybe(item, next), truth(item, next), number(item, next))
  }

  private mutating func maybeTruth(
    _ item: PredicateExpressions.Variable<Item>, _ depth: Int
  ) -> MaybeTruth {
    generator.chance(0.3)
      ? PredicateExpressions.build_KeyPath(root: item, keyPath: \Item.isNew)
      : tested(maybe(item, depth), number(item, depth), comparison())
  }

  private mutating func constant() -> Int { Item.numbers.randomElement(using: &generator) ?? 0 }

  private mutating func comparison() -> PredicateExpressions.ComparisonOperator {
    [.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual][pick(4)]
  }

  // MARK: Parts of parts

  private mutating func compared(
    _ a: some StandardPredicateExpression<Int>, _ b: some StandardPredicateExpression<Int>
  ) -> Truth {
    switch pick(3) {
    case 0: PredicateExpressions.build_Equal(lhs: a, rhs: b)
    case 1: PredicateExpressions.build_NotEqual(lhs: a, rhs: b)
    default: PredicateExpressions.build_Comparison(lhs: a, rhs: b, op: comparison())
    }
  }

  private mutating func equal(
    _ a: some StandardPredicateExpression<Int?>, _ b: some StandardPredicateExpression<Int?>
  ) -> Truth {
    generator.chance(0.5)
      ? PredicateExpressions.build_Equal(lhs: a, rhs: b)
      : PredicateExpressions.build_NotEqual(lhs: a, rhs: b)
  }

  private func isNil(_ a: some StandardPredicateExpression<Int?>) -> Truth {
    PredicateExpressions.build_Equal(lhs: a, rhs: PredicateExpressions.build_NilLiteral())
  }

  private func and(
    _ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>
  ) -> Truth { PredicateExpressions.build_Conjunction(lhs: a, rhs: b) }

  private func or(
    _ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>
  ) -> Truth { PredicateExpressions.build_Disjunction(lhs: a, rhs: b) }

  private func not(_ a: some StandardPredicateExpression<Bool>) -> Truth {
    PredicateExpressions.build_Negation(a)
  }

  private func chosen<Value>(
    _ test: some StandardPredicateExpression<Bool>, _ a: some StandardPredicateExpression<Value>,
    _ b: some StandardPredicateExpression<Value>
  ) -> any StandardPredicateExpression<Value> {
    PredicateExpressions.build_Conditional(test, a, b)
  }

  private func orElse<Value>(
    _ a: some StandardPredicateExpression<Value?>, _ b: some StandardPredicateExpression<Value>
  ) -> any StandardPredicateExpression<Value> {
    PredicateExpressions.build_NilCoalesce(lhs: a, rhs: b)
  }

  private func unwrapped(_ a: some StandardPredicateExpression<Int?>) -> Number {
    PredicateExpressions.build_ForcedUnwrap(a)
  }

  private func mapped(
    _ a: some StandardPredicateExpression<Int?>, _ test: some StandardPredicateExpression<Bool>,
    _ b: some StandardPredicateExpression<Int>
  ) -> MaybeNumber {
    PredicateExpressions.build_flatMap(a) { PredicateExpressions.build_Conditional(test, $0, b) }
  }

  private func tested(
    _ a: some StandardPredicateExpression<Int?>, _ b: some StandardPredicateExpression<Int>,
    _ comparison: PredicateExpressions.ComparisonOperator
  ) -> MaybeTruth {
    PredicateExpressions.build_flatMap(a) {
      PredicateExpressions.build_Comparison(lhs: $0, rhs: b, op: comparison)
    }
  }

  private mutating func among(_ a: some StandardPredicateExpression<Int?>) -> Truth {
    let values = (0..<pick(4)).map { _ in generator.chance(0.3) ? nil : constant() as Int? }
    return generator.chance(0.5)
      ? PredicateExpressions.build_contains(PredicateExpressions.build_Arg(values), a)
      : PredicateExpressions.build_contains(PredicateExpressions.build_Arg(values)) {
        PredicateExpressions.build_Equal(lhs: $0, rhs: a)
      }
  }

  private mutating func inRange(
    _ a: some StandardPredicateExpression<Int>, _ b: some StandardPredicateExpression<Int>
  ) -> Truth {
    let (low, high) = (min(constant(), constant()), max(constant(), 10))
    let range = PredicateExpressions.build_ClosedRange(
      lower: PredicateExpressions.build_Arg(low), upper: PredicateExpressions.build_Arg(high))
    let other = PredicateExpressions.build_Arg(low..<high)
    return or(
      PredicateExpressions.build_contains(range, a), PredicateExpressions.build_contains(other, b))
  }
}
