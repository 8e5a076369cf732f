internal import EntityStore

/// An editor of a result's sections while rows are inserted and removed.
///
/// It takes the rows of a touched section out of the tree once, and puts them back at the end. So
/// each node on the way to a change is copied once, however many changes there are.
struct SectionsEditor {
  struct Section {
    var key: SectionKey
    var rows: RankTree
    /// The old position of the section, if it existed.
    fileprivate(set) var oldPosition: Int?
    /// The new position of the section, if it still exists, once the editor has finished.
    fileprivate(set) var newPosition: Int?
  }

  private let plan: ResultPlan
  private let hasSections: Bool
  private var sections: SectionTree
  var touched: ContiguousArray<Section> = []
  /// The positions in `touched`, by the values that sections are ordered by.
  private var places: [[StoredValue]: Int] = [:]

  init(_ sections: SectionTree, of plan: ResultPlan) {
    self.sections = sections
    self.plan = plan
    hasSections = !plan.sectionOrder.isEmpty
  }

  /// Returns the position of a section in `touched`, and takes the section out if it hasn't been
  /// yet.
  mutating func touch(_ key: @autoclosure () -> SectionKey) -> Int {
    if !hasSections { return touchOnly() }
    let key = key()
    if let place = places[key.order] { return place }
    let position = sections.position(of: key, in: plan)
    let isHere = isSection(key, at: position)
    touched.append(
      Section(
        key: key, rows: isHere ? sections[position].rows : RankTree(),
        oldPosition: isHere ? position : nil))
    places[key.order] = touched.count - 1
    return touched.count - 1
  }

  /// Takes out the only section of a result without sections.
  private mutating func touchOnly() -> Int {
    if touched.isEmpty {
      let rows = sections.isEmpty ? RankTree() : sections[0].rows
      touched.append(Section(key: .only, rows: rows, oldPosition: 0, newPosition: 0))
    }
    return 0
  }

  private func isSection(_ key: SectionKey, at position: Int) -> Bool {
    position < sections.count && plan.compare(sections[position].key, key) == 0
  }

  /// Puts back the sections that were taken out, and returns all sections.
  ///
  /// No section is left empty, except the only one of a result without sections.
  mutating func finish() -> SectionTree {
    if !hasSections {
      guard let only = touched.first else { return sections }
      let finished = ResultSection(key: only.key, rows: only.rows)
      if sections.isEmpty {
        sections.insert(finished, at: 0)
      } else {
        sections.replace(at: 0, with: finished)
      }
      return sections
    }
    for section in touched {
      let position = sections.position(of: section.key, in: plan)
      let isHere = isSection(section.key, at: position)
      if section.rows.isEmpty {
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
    for place in touched.indices where !touched[place].rows.isEmpty {
      touched[place].newPosition = sections.position(of: touched[place].key, in: plan)
    }
    return sections
  }
}
