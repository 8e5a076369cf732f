internal import EntityStore
internal import ListDiffing
internal import Locking

// Members of lists whose rows are objects.
extension ListSnapshot where Row: ObjectView {
  /// The shown objects, in order.
  ///
  /// Each is read on access.
  ///
  /// - Complexity: O(1)
  public var fetchedObjects: FetchedObjectList<Row> { FetchedObjectList(content: content) }

  /// The summary of all rows of the result, or of the rows of a list that is derived from it.
  var summary: ResultSummary {
    content.result?.base.summary ?? content.summary(of: rows)
  }
}

extension SectionInfo where Row: ObjectView {
  /// The summary of the whole section of the result, or of the section of a list that is derived
  /// from it.
  var summary: ResultSummary {
    guard let result = content.result else { return content.summary(of: rows) }
    return result.base.summary(of: result.tree(ofSection: position))
  }
}

extension ListContent where Row: ObjectView {
  /// The plan of the query that aggregates the rows.
  var aggregatingPlan: ResultPlan {
    guard let plan else {
      mistake("The rows come from several queries; aggregate each of these lists")
    }
    return plan
  }

  /// - Complexity: O(*n*) where *n* is the number of rows.
  fileprivate func summary(of rows: [Row]) -> ResultSummary {
    aggregatingPlan.summary(
      of: rows.lazy.map { row in
        guard let view = row as? EntityView<Row.Object> else {
          preconditionFailure("A row that is an object is no EntityView")
        }
        return view.result
      })
  }
}
