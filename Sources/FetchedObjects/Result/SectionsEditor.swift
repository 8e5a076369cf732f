internal import EntityStore

/// The sections of a result while rows come and go.
///
/// The rows of a touched section are taken out of the tree once and put back at the end, so that each
/// node on the way to a change is copied once, however many changes there are.
struct SectionsEditor {
  struct Section {
    var key: SectionKey
    var rows: RankTree
  }

  private let plan: ResultPlan
  private var sections: SectionTree
  /// The touched sections.
  var touched: [Section] = []
  /// The positions in `touched`, by the values that sections are ordered by.
  private var places: [[StoredValue]: Int] = [:]

  init(_ sections: SectionTree, of plan: ResultPlan) {
    self.sections = sections
    self.plan = plan
  }

  /// The position in `touched` of a section, which is taken out if it wasn't yet.
  mutating func touch(_ key: SectionKey) -> Int {
    let isOnly = plan.sectionOrder.isEmpty
    if isOnly && !touched.isEmpty { return 0 }
    if !isOnly, let place = places[key.order] { return place }
    let position = sections.position(of: key, in: plan)
    let rows = isSection(key, at: position) ? sections[position].rows : RankTree()
    touched.append(Section(key: key, rows: rows))
    if !isOnly { places[key.order] = touched.count - 1 }
    return touched.count - 1
  }

  private func isSection(_ key: SectionKey, at position: Int) -> Bool {
    position < sections.count && plan.compare(sections[position].key, key) == 0
  }

  /// The sections with what was taken out put back.
  ///
  /// No section is left empty, but for the one of a result without sections.
  mutating func finish() -> SectionTree {
    for section in touched {
      let position = sections.position(of: section.key, in: plan)
      let isHere = isSection(section.key, at: position)
      if section.rows.isEmpty && !plan.sectionOrder.isEmpty {
        if isHere { sections.remove(at: position) }
      } else {
        let finished = ResultSection(key: section.key, rows: section.rows)
        if isHere {
          sections.replace(at: position, with: finished)
        } else {
          sections.insert(finished, at: position)
        }
      }
    }
    return sections
  }
}
