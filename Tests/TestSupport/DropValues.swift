public import Locking

/// Empties a locked array and drops what was there.
///
/// It is here since this target is optimised in release, as an app is, and tests aren't.
public func dropValues(of lock: borrowing Locked<[AnyObject]>) {
  let old = lock.withLock { values in
    let old = values
    values = []
    return old
  }
  _ = old
}
