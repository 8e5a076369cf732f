public import Signalbox

extension Query<Todo> {
  /// Returns the query of the screen: by list, open ones before those that are done, by title.
  ///
  /// - Parameters:
  ///   - search: A part of the title, in either case, or "" for all.
  ///   - hidesDone: True if only what is open is shown.
  /// - Returns: The query.
  public static func todos(matching search: String = "", hidingDone hidesDone: Bool = false)
    -> Query<Todo>
  {
    var query = Query()
      .sorted { [$0.isDone.ascending, $0.title.ascending] }
      .sectioned { $0.list }
    if !search.isEmpty { query = query.filter { $0.title.contains(search, ignoring: .case) } }
    if hidesDone { query = query.filter { !$0.isDone } }
    return query
  }
}
