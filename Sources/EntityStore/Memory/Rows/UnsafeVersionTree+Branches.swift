/// Objects that versions with several children keep.
///
/// A version that nobody holds stays in the tree while it has several children. Its objects are
/// needed by those versions that are held and are connected with it by versions with the same
/// object at the same number. All of them count as one owner. These functions release an object
/// when its last such version ends or replaces it.
extension UnsafeVersionTree {
  /// Releases the objects that only `entry` has needed, which isn't held any longer.
  ///
  /// - Complexity: O(1) if the neighbours are held and are at most two. Otherwise O(*d*), where *d*
  ///   is the number of differences between the versions on a way to one that is held.
  func releaseUnneeded(by entry: Entry, _ removed: inout RemovedObjects) {
    let (parent, child) = (entry.pointee.parent, entry.pointee.firstChild)
    let isBranch = child?.pointee.next != nil
    let isParentHeld = parent?.pointee.isHeld ?? true
    if !isBranch && isParentHeld && child?.pointee.isHeld ?? true { return }
    // An object that all versions on the way have is needed by the last one.
    if child != nil {
      releaseUnneeded(from: entry, except: nil, &removed)
    } else if let parent, !isParentHeld {
      releaseUnneeded(from: parent, except: entry, &removed)
    }
  }

  /// Releases unneeded objects, on the way from a version to one below it that is held.
  private func releaseUnneeded(
    from start: Entry, except skipped: Entry?, _ removed: inout RemovedObjects
  ) {
    var numbers: Set<Int> = []
    var upper = start
    while !upper.pointee.isHeld {
      guard let first = upper.pointee.firstChild,
        let lower = first == skipped ? first.pointee.next : first
      else { break }
      UnsafeVectorNode.forEachDifference(
        (upper.pointee.root, upper.pointee.shift), (lower.pointee.root, lower.pointee.shift)
      ) { numbers.insert($0) }
      upper = lower
    }
    for number in numbers { releaseUnneeded(below: start, number, &removed) }
  }

  /// Releases the object of a version at a number if no version needs it that is held.
  func releaseUnneeded(below entry: Entry, _ number: Int, _ removed: inout RemovedObjects) {
    guard let object = entry.pointee[number] else { return }
    var top = entry
    while let parent = top.pointee.parent, parent.pointee[number] == object { top = parent }
    var owners: [Entry] = []
    if Self.list(top, object, number, in: &owners) { return }
    // A leaf that a version shares with a held one would have the object there, too.
    for owner in owners {
      let leaf = owner.pointee.root.leaf(of: number, owner.pointee.shift)
      leaf?[number & UnsafeVectorNode.mask] = nil
    }
    removed.append(object)
  }

  /// Lists a version and those below it that are connected by an object.
  ///
  /// - Returns: True if one of them is held.
  private static func list(
    _ entry: Entry, _ object: UnsafeRawPointer, _ number: Int, in owners: inout [Entry]
  ) -> Bool {
    if entry.pointee.isHeld { return true }
    owners.append(entry)
    var next = entry.pointee.firstChild
    while let child = next {
      if child.pointee[number] == object && list(child, object, number, in: &owners) { return true }
      next = child.pointee.next
    }
    return false
  }
}

extension UnsafeVersionTree.Version {
  /// The object with a number, or nil.
  fileprivate subscript(number: Int) -> UnsafeRawPointer? {
    root.leaf(of: number, shift).flatMap { $0[number & UnsafeVectorNode.mask] }
  }
}
