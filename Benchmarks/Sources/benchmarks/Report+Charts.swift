extension Report {
  /// A chart of each group, in the order of the results.
  var charts: [Chart] {
    var groups: [String] = []
    var members: [String: [Comparison]] = [:]
    for comparison in comparisons {
      let group = comparison.title.group
      if members[group] == nil { groups.append(group) }
      members[group, default: []].append(comparison)
    }
    return groups.compactMap { group in members[group].map { Chart(title: group, of: $0) } }
  }
}
