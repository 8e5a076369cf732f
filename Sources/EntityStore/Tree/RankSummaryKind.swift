/// One of the two summaries that a node keeps.
package enum RankSummaryKind: Int {
  case first
  case second
}
