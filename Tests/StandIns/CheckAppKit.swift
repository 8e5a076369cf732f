import AppKit
import ListDiffing

/// The data that the views read.
final class Data: NSObject, NSCollectionViewDataSource, NSTableViewDataSource {
  var sections: Sections

  init(_ sections: Sections) { self.sections = sections }

  func collectionView(_ view: NSCollectionView, numberOfItemsInSection section: Int) -> Int {
    sections[section].rows.count
  }

  func numberOfSections(in view: NSCollectionView) -> Int { sections.count }

  func numberOfRows(in view: NSTableView) -> Int { sections[0].rows.count }
}

@main
struct CheckAppKit {
  static func main() {
    switch CommandLine.arguments.last {
    case "sections":
      show(
        sections("A 1", "B 2"), sections("B 2"), in: tableView(Data(sections("A 1"))),
        animated: true)
    case "outline":
      let view = NSOutlineView()
      show(sections("A 1"), sections("A 2"), in: view, animated: true)
    default:
      checkViews()
      checkCollectionView()
      checkTableView()
      checkSteps()
    }
  }

  /// Shows a list in a host of another, whose data it gets.
  static func show(
    _ old: Sections, _ new: Sections, in host: some ListUpdating, data: Data = Data([]),
    animated: Bool
  ) {
    let shown = presentation(from: old, to: new)
    var finished: [Bool] = []
    for pass in shown.passes {
      host.performBatchUpdates(pass, animated: animated) {
        StandIn.record("updateData")
        data.sections = new
      } completion: {
        finished.append($0)
      }
    }
    check("The data is new when the host returns", data.sections == new)
    StandIn.finishAnimations()
    check("The completion is called once", finished == [true])
    host.reloadList(rows: shown.reloadedRows, headers: shown.reloadedHeaders, animated: animated)
    host.reloadList(rows: [], headers: [], animated: false)
    host.reloadData()
  }

  static func tableView(_ data: Data) -> NSTableView {
    let view = NSTableView()
    view.window = NSWindow()
    view.dataSource = data
    return view
  }

  static func checkViews() {
    let path = ListPath(section: 2, row: 5)
    check("A path becomes an index path", IndexPath(path) == IndexPath(item: 5, section: 2))
    check("An index path becomes a path", ListPath(IndexPath(path)) == path)
    let views: [any ListUpdating] = [NSCollectionView(), NSTableView()]
    for view in views {
      check("A view without a window is not shown", !view.isListShown)
      (view as? NSView)?.window = NSWindow()
      check("A view without data is not shown", !view.isListShown)
      check("A view without data doesn't know its counts", view.shownRowCounts == nil)
    }
  }

  static func checkCollectionView() {
    let old = sections("A 1 2 3 4 5", "B 6", "C 7 8", "D 9")
    let new = sections("D 9", "A 3 1' 10 5", "E 11", "C' 7 4 8'")
    let batch = [
      "batch {", "updateData", "deleteSections 1", "insertSections 2", "moveSection 3 to 0",
      "deleteItems 0.1", "insertItems 1.2", "moveItem 0.2 to 1.0", "moveItem 0.3 to 3.1", "}",
    ]
    let reload = ["reloadItems 1.0 1.1", "reloadSections 0 3"]
    for animated in [true, false] {
      let data = Data(old)
      let view = NSCollectionView()
      view.window = NSWindow()
      view.dataSource = data
      check("A view in a window is shown", view.isListShown)
      check("A view knows its counts", view.shownRowCounts == [5, 1, 2, 1])
      show(old, new, in: view, data: data, animated: animated)
      checkCalls(
        "A collection view takes a pass in one batch", StandIn.takeCalls(),
        animated
          ? ["animator"] + batch + ["animator"] + reload + ["reloadData"]
          : batch + reload + ["reloadData"])
    }
  }

  static func checkTableView() {
    let old = sections("A 1 2 3 4 5 6")
    let new = sections("A' 6 1' 7 3 8 5")
    for animated in [true, false] {
      let (seconds, fade) = animated ? ("0.25 s", " fade") : ("0.0 s", "")
      let data = Data(old)
      let view = tableView(data)
      check("A table in a window is shown", view.isListShown)
      check("A table knows its count", view.shownRowCounts == [6])
      show(old, new, in: view, data: data, animated: animated)
      checkCalls(
        "A table view takes a pass step by step", StandIn.takeCalls(),
        [
          "begin, \(seconds) {", "updateData", "removeRows 1 3\(fade)", "moveRow 3 to 0",
          "insertRows 2 4\(fade)", "}", "reloadData 0 1 columns 0 1", "heights 0 1, \(seconds)",
          "reloadData",
        ])
    }
  }

  /// What a table view is told leads to the new list, whatever the two are.
  static func checkSteps() {
    let lists = ["", "1", "1 2 3", "3 1 2", "4 3 2 1", "5 1 6 3", "2 7 8 1 9", "9 8 7 1 2 3"]
    for old in lists.map({ sections("A \($0)") }) {
      for new in lists.map({ sections("A \($0)") }) where new != old {
        let data = Data(old)
        show(old, new, in: tableView(data), data: data, animated: true)
        var rows = old[0].rows
        for call in StandIn.takeCalls() {
          let words = call.split(separator: " ")
          let numbers = words.compactMap { Int($0) }
          switch words.first {
          case "removeRows": for row in numbers.reversed() { rows.remove(at: row) }
          case "moveRow": rows.insert(rows.remove(at: numbers[0]), at: numbers[1])
          case "insertRows": for row in numbers { rows.insert(new[0].rows[row], at: row) }
          default: break
          }
        }
        check("\(old) becomes \(new), not \(rows)", rows == new[0].rows)
      }
    }
  }
}
