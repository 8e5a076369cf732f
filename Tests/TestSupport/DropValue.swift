public import Locking

/// Empties a locked value and drops what was there.
///
/// It is here since this target is optimised in release, as an app is, and tests aren't.
public func dropValue(of lock: borrowing Locked<AnyObject?>) {
  _ = lock.withLock { value in
    let old = value
    value = nil
    return old
  }
}
