import ListDiffing

/// The shortest way to write paths of a flat list.
func path(_ row: Int) -> ListPath { ListPath(section: 0, row: row) }

func path(_ section: Int, _ row: Int) -> ListPath { ListPath(section: section, row: row) }

func change(_ old: Int, _ new: Int) -> PositionChange<ListPath> {
  PositionChange(old: path(old), new: path(new))
}
