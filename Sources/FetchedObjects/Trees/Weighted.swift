/// An element of a ``CountedTree``.
protocol Weighted: Sendable {
  /// The share of the element in the second count: the rows of a section, or 1 for an included row
  /// and 0 for one that is left out.
  var weight: Int { get }

  /// The maximum number of elements or children in a node, divisible by 4.
  static var nodeWidth: Int { get }
}
