@_spi(Storage) internal import EntityStore
internal import ListDiffing
internal import Locking

// A row is read by its number at the newest version. The number may have become another object's
// since the shown version. The ids of the objects in pending commits are known, and the rows of
// these objects are read by id. If a commit of this store can be read but isn't installed yet, a
// read waits for it. For external commits, a read asks the storage.
extension IndexFollower {
  /// Reads the rows at some paths of the shown result, and returns them with the plan that made
  /// them.
  ///
  /// They are read at the newest version. A row is nil if its object has been deleted since. If
  /// `mayBeGone` is true, a path that isn't shown is a removed row; otherwise it is a mistake.
  /// `near` has all paths to read and keep, including `paths`, if there are more. Each may no
  /// longer be shown.
  func rows(
    at paths: [ListPath], mayBeGone: Bool = false, reading near: [ListPath]? = nil
  ) throws -> (rows: [ResultRow?], plan: ResultPlan) {
    var isFirst = !mayBeGone
    while true {
      let ahead = ahead
      let view = ahead.view
      if isFirst { checkPaths(paths, in: view) }
      isFirst = false
      // Another thread may have caused another result to be shown.
      let present = (near ?? paths).filter(view.contains)
      if let found = try read(present.map(view.wholePath), ahead) {
        let plan = ahead.whole.plan
        if near == nil && present.count == paths.count { return (found, plan) }
        let byPath = Dictionary(zip(present, found), uniquingKeysWith: { first, _ in first })
        return (paths.map { byPath[$0] ?? nil }, plan)
      }
    }
  }

  /// Returns the row at a path of the shown result and the plan that made it, if it is kept.
  func keptRow(at path: ListPath) -> (row: ResultRow, plan: ResultPlan)? {
    let ahead = ahead
    return keptRow(at: path, ahead).map { ($0, ahead.whole.plan) }
  }

  /// Returns the row at a path of `ahead.view`, if it is kept.
  ///
  /// Returns nil if the shown result, or the known changes to it, differ from `ahead` by now.
  func keptRow(at path: ListPath, _ ahead: IndexAhead) -> ResultRow? {
    guard ahead.view.contains(path) else { return nil }
    let path = ahead.view.wholePath(of: path)
    guard ahead.idsByPath[path] == nil else { return nil }
    let row = cache.object(ahead.number(at: path))
    // Another object may have the number now, and may be kept by it.
    return self.ahead === ahead ? row : nil
  }

  private func checkPaths(_ paths: [ListPath], in view: IndexView) {
    for path in paths where !view.contains(path) {
      let counts = (0..<view.sectionCount).map { view.rows(ofSection: $0).count }
      mistake("There is no row at \(path); the model shows \(counts) rows")
    }
  }

  /// Reads the rows at some paths of the whole result of which a part is shown.
  ///
  /// Returns nil if the shown result, or the known changes to it, have changed in the meantime.
  func read(_ paths: [ListPath], _ ahead: IndexAhead) throws -> [ResultRow?]? {
    // While another query waits to be shown, rows are still read by the shown one.
    let plan = ahead.whole.plan
    let numbers = paths.map(ahead.number)
    let ids = paths.map { ahead.idsByPath[$0] }
    var (found, generation) = cache.objects(numbers)
    let open = paths.indices.filter { found[$0] == nil || ids[$0] != nil }
    let missed = live.missed
    let isKnown = missed == nil && !ahead.isUnknown
    let merged = store.mergedVersion
    // The numbers in `ahead` are those of the merged version if `ahead` is still current.
    // Otherwise, other rows may be kept by these numbers.
    if self.ahead !== ahead { return nil }
    if open.isEmpty { return found }
    var isInDoubt = false
    var isWalked = false
    let version = try store.readStorage { reader in
      let entity = plan.query.entity
      let numbersAreIDs = live.numbersAreIDs(reading: reader)
      let renumbered = ahead.renumbered.union(missed ?? Renumbered())
      var renumberedElsewhere = Renumbered()
      let numbered = open.filter { ids[$0] == nil }
      // A storage far away reports its version with the first rows. So they are read before it is
      // asked for, and again if it turns out that they have other numbers. Then it doesn't matter
      // if they couldn't be read, unless that has ended the transaction.
      var objects = Result {
        try reader.numbered().rows(of: entity, numbered: numbered.map { numbers[$0] })
      }
      do {
        switch try elsewhere(after: merged, ahead, isKnown: isKnown, reading: reader) {
        case .renumbered(let ids): renumberedElsewhere = ids
        case .whole(let whole):
          isWalked = true
          // A row that doesn't exist has no number, and no row has the number `.min`.
          let read = try reader.numbered().rows(
            of: entity, numbered: numbered.map { ahead.number(at: paths[$0], in: whole) ?? .min })
          objects = .success(read)
        }
      } catch {
        _ = try objects.get()
        throw error
      }
      // The watch has all commits that the rows may be of.
      let renumberedMeanwhile = ahead.watch?.renumbered ?? Renumbered()
      let read = try objects.get()
      let memo = reader.remembering(plan.shared)
      let values: any StorageReader = memo ?? reader
      try memo?.readAhead(plan.expressions, of: read.compactMap { $0 })
      for (index, object) in zip(numbered, read) {
        found[index] = try object.flatMap { object in
          if numbersAreIDs { return try plan.resultRow(object, reading: values) }
          // A row that may belong to another object is treated as deleted.
          if renumbered.contains(object.id) || renumberedMeanwhile.contains(object.id)
            || renumbered.freed.contains(numbers[index])
          {
            return nil
          }
          if renumberedElsewhere.contains(object.id) {
            isInDoubt = true
            return nil
          }
          if try !isKnown && !plan.meetsFilter(object, reading: values) { return nil }
          return try plan.resultRow(object, reading: values)
        }
      }
      for index in open {
        guard let id = ids[index] else { continue }
        found[index] = try reader.row(of: entity, id: id).map {
          try plan.resultRow($0, reading: values)
        }
      }
      return reader.version
    }
    live.settle(version)
    if isInDoubt {
      // The changes of a commit of this store are known once it is installed. Only external commits
      // can still be ahead.
      store.waitForPublishing()
      if store.mergedVersion > merged { return nil }
    }
    let now = self.ahead
    if isWalked && now !== ahead { return nil }
    guard live.missed == missed,
      now === ahead
        || now.view === ahead.view && now.isUnknown == ahead.isUnknown && now.watch === ahead.watch
          && now.renumbered == ahead.renumbered && paths.map(now.number) == numbers
          && open.allSatisfy({ now.idsByPath[paths[$0]] == ids[$0] })
    else { return nil }
    // Rows of a version that isn't merged yet aren't kept. If that version is undone, there may be
    // no net change.
    if isKnown && version <= merged {
      let kept = open.compactMap { index in
        ids[index] == nil ? found[index].map { (numbers[index], $0) } : nil
      }
      cache.insert(kept, readAt: generation)
    }
    return found
  }

  /// The effect of unmerged external commits on row numbers.
  private enum Elsewhere {
    /// Some objects have other numbers, or may have them.
    case renumbered(Renumbered)
    /// There is no net change, but rows have other numbers: those in this result.
    case whole(IndexSnapshot)
  }

  /// Asks the storage for external commits after a version.
  ///
  /// If there is no net change, no event will follow. So the rows are looked up at their current
  /// positions.
  private func elsewhere(
    after merged: Int64, _ ahead: IndexAhead, isKnown: Bool, reading reader: any StorageReader
  ) throws -> Elsewhere {
    guard reader.version > merged, !live.isIdentifiedByNumber else {
      return .renumbered(Renumbered())
    }
    let news = try live.news(after: merged, reading: reader)
    if isKnown, news.isRenumberingOnly {
      let whole = try live.whole(after: news, reading: reader)
      if whole.hasRows(like: ahead.step?.after ?? ahead.whole) { return .whole(whole) }
    }
    return .renumbered(news.renumbered)
  }

  /// Returns the path at which an object is shown, or nil.
  ///
  /// - Complexity: O(log *n*) reads. While commits aren't known, the rows may have other keys than
  ///   the shown ones. Then it takes another O(*n*) steps, without reads.
  func path(of id: StoredValue) throws -> ListPath? {
    while true {
      let ahead = ahead
      if let candidate = ahead.candidates[id] {
        return candidate.old.flatMap { ahead.view.shownPath(of: $0.path) }
      }
      let (merged, missed) = (store.mergedVersion, live.missed)
      var version: Int64 = 0
      let path = try store.readStorage { reader -> ListPath? in
        version = reader.version
        return try self.path(of: id, ahead, merged, missed, reading: reader)
      }
      live.settle(version)
      if self.ahead === ahead && live.missed == missed {
        return path.flatMap(ahead.view.shownPath)
      }
    }
  }

  /// Returns the path among all rows of an object, or nil if it isn't in the result.
  private func path(
    of id: StoredValue, _ ahead: IndexAhead, _ merged: Int64, _ missed: Renumbered?,
    reading reader: any StorageReader
  ) throws -> ListPath? {
    let plan = ahead.whole.plan
    var (shown, isShown) = (ahead.whole, true)
    var renumberedElsewhere = Renumbered()
    let isKnown = missed == nil && !ahead.isUnknown
    // Otherwise a commit may have changed the keys by which rows are found.
    var hasKeys = isKnown && reader.version <= merged
    switch try elsewhere(after: merged, ahead, isKnown: isKnown, reading: reader) {
    case .whole(let whole): (shown, isShown, hasKeys) = (whole, false, true)
    case .renumbered(let ids):
      renumberedElsewhere = ids
      if !ahead.isUnknown, let step = ahead.step, !step.keepsNumbers {
        (shown, isShown) = (step.after, false)
      }
    }
    let entity = plan.query.entity
    guard let object = try reader.row(of: entity, id: id) else { return nil }
    let row = try plan.row(object, reading: reader)
    let numbersAreIDs = live.numbersAreIDs(reading: reader)
    // An external commit may have made a shown object miss the filter.
    guard row != nil || numbersAreIDs || isKnown && !hasKeys,
      let number = try reader.numbered().rowNumber(of: entity, id: id)
    else { return nil }
    if !numbersAreIDs {
      // The number of an object that has had another one since can be a shown row's by chance.
      guard ahead.watch?.renumbered.contains(id) != true, !ahead.renumbered.hasCollected(id),
        missed?.hasCollected(id) != true, !renumberedElsewhere.inserted.contains(id),
        !ahead.renumbered.freed.contains(number)
      else { return nil }
    }
    let ties = TieReader(plan, reader, known: isShown ? ahead.touchedRows : [])
    var found = try row.flatMap { try shown.path(of: $0, numbered: number, ties) }
    if found == nil, !hasKeys,
      numbersAreIDs
        || !renumberedElsewhere.contains(id)
          && isNumberSure(ahead, missed, isMerged: reader.version <= merged)
    {
      found = shown.path(ofNumber: number)
    }
    guard let path = found else { return nil }
    if !isShown { return ahead.oldPath(ofPathNow: path) }
    // The row may be that of an object whose number this one has got.
    return ahead.idsByPath[path].map { $0 == id } ?? true ? path : nil
  }

  /// Returns true if an object with the number of a shown row is the object of that row.
  ///
  /// It need not be if its id or its number is among those that are collected. `isMerged` is true
  /// if all commits that the reader sees are merged.
  private func isNumberSure(
    _ ahead: IndexAhead, _ missed: Renumbered?, isMerged: Bool
  ) -> Bool {
    if ahead.renumbered.mayBeAny || missed?.mayBeAny == true { return false }
    if !ahead.isUnknown || ahead.watch != nil { return true }
    // An object outside the result may have got the number of a row that has left. If a commit that
    // isn't merged, or couldn't be read, has made it meet the filter, nothing excludes it.
    return isMerged && missed == nil
  }
}
