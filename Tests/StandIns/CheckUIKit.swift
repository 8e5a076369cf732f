import ListDiffing
import UIKit

/// The data that the views read.
final class Data: NSObject, UICollectionViewDataSource, UITableViewDataSource {
  var sections: Sections

  init(_ sections: Sections) { self.sections = sections }

  func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int {
    sections[section].rows.count
  }

  func numberOfSections(in view: UICollectionView) -> Int { sections.count }

  func tableView(_ view: UITableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].rows.count
  }

  func numberOfSections(in view: UITableView) -> Int { sections.count }
}

let old = sections("A 1 2 3 4 5", "B 6", "C 7 8", "D 9")
let new = sections("D 9", "A 3 1' 10 5", "E 11", "C' 7 4 8'")

@main
struct CheckUIKit {
  static func main() {
    checkViews()
    checkCollectionView()
    checkTableView()
    checkDiffable()
  }

  /// Shows the new list in a host of the old one.
  static func show(_ data: Data, in host: some ListUpdating, animated: Bool) {
    let shown = presentation(from: old, to: new)
    check("One pass is enough", shown.passes.count == 1)
    check("The host knows its counts", host.shownRowCounts == [5, 1, 2, 1])
    var finished: [Bool] = []
    host.performBatchUpdates(shown.passes[0], animated: animated) {
      StandIn.record("updateData")
      data.sections = new
    } completion: {
      finished.append($0)
    }
    check("The data is new when the host returns", data.sections == new)
    check("Only an animation puts the completion off", finished == (animated ? [] : [true]))
    StandIn.finishAnimations()
    check("The completion is called once", finished == [true])
    check("The host knows its new counts", host.shownRowCounts == [1, 4, 1, 3])
    host.reloadList(rows: shown.reloadedRows, headers: shown.reloadedHeaders, animated: animated)
    host.reloadList(rows: [], headers: [], animated: true)
    host.reloadData()
  }

  static func checkViews() {
    let path = ListPath(section: 2, row: 5)
    check("A path becomes an index path", IndexPath(path) == IndexPath(item: 5, section: 2))
    check("An index path becomes a path", ListPath(IndexPath(path)) == path)
    let view = UICollectionView()
    check("A view without a window is not shown", !view.isListShown)
    view.window = UIWindow()
    check("A view without data is not shown", !view.isListShown)
    check("A view without data doesn't know its counts", view.shownRowCounts == nil)
    check("A table without data doesn't know its counts", UITableView().shownRowCounts == nil)
  }

  static func checkCollectionView() {
    let batch = [
      "batch {", "updateData", "deleteSections 1", "insertSections 2", "moveSection 3 to 0",
      "deleteItems 0.1", "insertItems 1.2", "moveItem 0.2 to 1.0", "moveItem 0.3 to 3.1", "}",
    ]
    let reload = ["reconfigureItems 1.0 1.1", "reloadSections 0 3"]
    for animated in [true, false] {
      let data = Data(old)
      let view = UICollectionView()
      view.window = UIWindow()
      view.dataSource = data
      check("A view in a window is shown", view.isListShown)
      show(data, in: view, animated: animated)
      checkCalls(
        "A collection view takes a pass in one batch", StandIn.takeCalls(),
        animated
          ? batch + reload + ["reloadData"]
          : ["still {"] + batch + ["}", "still {"] + reload + ["}", "reloadData"])
    }
  }

  static func checkTableView() {
    func batch(_ animation: String) -> [String] {
      [
        "batch {", "updateData", "deleteSections 1 \(animation)", "insertSections 2 \(animation)",
        "moveSection 3 to 0", "deleteRows 0.1 \(animation)", "insertRows 1.2 \(animation)",
        "moveRow 0.2 to 1.0", "moveRow 0.3 to 3.1", "}",
      ]
    }
    func reload(_ animation: String) -> [String] {
      ["reconfigureRows 1.0 1.1", "reloadSections 0 3 \(animation)"]
    }
    for animated in [true, false] {
      let data = Data(old)
      let view = UITableView()
      view.window = UIWindow()
      view.dataSource = data
      check("A table in a window is shown", view.isListShown)
      show(data, in: view, animated: animated)
      checkCalls(
        "A table view takes a pass in one batch", StandIn.takeCalls(),
        animated
          ? batch("automatic") + reload("automatic") + ["reloadData"]
          : ["still {"] + batch("none") + ["}", "still {"] + reload("none") + ["}", "reloadData"])
    }
  }

  static func checkDiffable() {
    let collection = UICollectionView()
    let table = UITableView()
    let data = Data(old)
    func content() -> [ListSection<String, String>] {
      data.sections.map { ListSection(header: $0.header.id, rows: $0.rows.map(\.id)) }
    }
    let hosts = [
      DiffableListHost(
        UICollectionViewDiffableDataSource(collectionView: collection) { _, _, _ in nil },
        of: collection, content: content),
      DiffableListHost(
        UITableViewDiffableDataSource(tableView: table) { _, _, _ in nil }, of: table,
        content: content),
    ]
    let all = "D: [9], A: [3, 1, 10, 5], E: [11], C: [7, 4, 8]"
    for host in hosts {
      for animated in [true, false] {
        let suffix = animated ? ", animated" : ""
        data.sections = old
        host.reloadData()
        _ = StandIn.takeCalls()
        show(data, in: host, animated: animated)
        checkCalls(
          "A diffable data source gets snapshots", StandIn.takeCalls(),
          [
            "updateData", "apply \(all)\(suffix)",
            "apply \(all), reconfigure [3, 1], reload [D, C]\(suffix)",
            "apply \(all), animated", "applySnapshotUsingReloadData \(all)",
          ])
      }
      checkCopies(data, in: host)
    }
    check("A host without a window is not shown", !hosts[0].isListShown)
    collection.window = UIWindow()
    check("A host in a window is shown", hosts[0].isListShown)
  }

  static func checkCopies(_ data: Data, in host: DiffableListHost<String, String>) {
    let first = sections("A 1 2 1'", "A 1''")
    let second = sections("A 2 1'", "A 1''")
    data.sections = first
    host.reloadData()
    checkCalls(
      "Copies are numbered across sections", StandIn.takeCalls(),
      ["applySnapshotUsingReloadData A: [1, 2, 1 (copy 1)], A (copy 1): [1 (copy 2)]"])
    let shown = presentation(from: first, to: second)
    host.performBatchUpdates(
      shown.passes[0], animated: true, updateData: { data.sections = second }, completion: { _ in })
    checkCalls(
      "Copies that may stand for another are shown anew", StandIn.takeCalls(),
      [
        "apply A: [2, 1], A (copy 1): [1 (copy 1)], reconfigure [1, 1 (copy 1)], reload [A, A (copy 1)], animated"
      ])
    StandIn.finishAnimations()
    checkReplaced(data, in: host)
  }

  /// What a pass deletes and inserts keeps its identifier, and yet is drawn anew.
  static func checkReplaced(_ data: Data, in host: DiffableListHost<String, String>) {
    let first = sections("A 5 6")
    let second = sections("A 6", "B 5")
    data.sections = first
    host.reloadData()
    _ = StandIn.takeCalls()
    let shown = presentation(from: first, to: second)
    host.performBatchUpdates(
      shown.passes[0], animated: true, updateData: { data.sections = second }, completion: { _ in })
    checkCalls(
      "A row that moves into an inserted section is shown anew", StandIn.takeCalls(),
      ["apply A: [6], B: [5], reconfigure [5], animated"])
    StandIn.finishAnimations()
    let changes = SectionedListDiff(from: second, to: first).changes
    let replaced = ListPresentation(of: changes, sectionCount: 2, style: .singlePass)
    host.performBatchUpdates(
      replaced.passes[0], animated: true, updateData: { data.sections = first },
      completion: { _ in })
    checkCalls(
      "A row that leaves a deleted section is shown anew", StandIn.takeCalls(),
      ["apply A: [5, 6], reconfigure [5], animated"])
    StandIn.finishAnimations()
  }
}
