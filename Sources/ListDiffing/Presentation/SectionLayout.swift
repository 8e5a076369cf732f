/// The sections of two lists in one.
///
/// The old sections keep their order. Each inserted section follows the section that it follows in
/// the new list. So the sections that are neither moved nor deleted already have their new order.
struct SectionLayout {
  enum Place {
    case old(Int), new(Int)
  }

  private(set) var order: [Place] = []

  /// The position in this layout of each section of the old list, and of each section of the new
  /// list.
  private(set) var placeOfOld: [Int]
  private(set) var placeOfNew: [Int]

  /// The new position of each section of the old list, or nil if it is deleted.
  private(set) var newOfOld: [Int?]

  init(_ changes: ListChanges, origins: [Int?], sectionCount: Int) {
    placeOfOld = [Int](repeating: 0, count: sectionCount)
    placeOfNew = [Int](repeating: 0, count: origins.count)
    newOfOld = [Int?](repeating: nil, count: sectionCount)
    var isMoved = [Bool](repeating: false, count: origins.count)
    for section in changes.movedSections { isMoved[section.new] = true }

    var leading: [Int] = []
    var followers = [[Int]](repeating: [], count: sectionCount)
    var last: Int?
    for (section, origin) in origins.enumerated() {
      if let origin {
        newOfOld[origin] = section
        if !isMoved[section] { last = origin }
      } else if let last {
        followers[last].append(section)
      } else {
        leading.append(section)
      }
    }
    func insert(_ sections: [Int], into layout: inout SectionLayout) {
      for section in sections {
        layout.placeOfNew[section] = layout.order.count
        layout.order.append(.new(section))
      }
    }
    insert(leading, into: &self)
    for section in 0..<sectionCount {
      placeOfOld[section] = order.count
      if let new = newOfOld[section] { placeOfNew[new] = order.count }
      order.append(.old(section))
      insert(followers[section], into: &self)
    }
  }
}
