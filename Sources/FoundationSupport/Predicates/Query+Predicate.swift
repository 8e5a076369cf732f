public import EntityStore
public import Foundation

extension Query {
  /// Returns the query for the objects that also meet a predicate.
  ///
  ///     let recent = try Query<Car>().filter(#Predicate { $0.year > 1990 && $0.note != nil })
  ///
  /// The predicate becomes a condition of the library. So it is looked up in indexes, written in
  /// SQL and watched like a condition that was written for the query. For each object, the query
  /// gives the same answer as `predicate.evaluate`. There are two exceptions, which are the store's
  /// rules (S8):
  ///
  /// - Text is compared by its bytes, and not by what a reader takes as one character. So `"é"` as
  ///   one scalar isn't equal to `"é"` as two, and `"\r\n"` contains `"\n"`.
  /// - Other values are equal if their stored forms are equal.
  ///
  /// A part of an attribute has no equivalent. Nor have arithmetic on attributes, comparisons by
  /// locale and related objects. A condition in braces can express more: `filter { $0.owner.name ==
  /// "Ann" }`.
  ///
  /// - Throws: ``QueryTranslationError``, which names the part and what to write instead.
  public func filter(_ predicate: Predicate<Root>) throws(QueryTranslationError) -> Query {
    let condition = try PredicateTranslator(predicate.variable).condition(predicate.expression)
    return filter { _ in Condition(condition) }
  }
}
