internal import Locking

/// The bodies of `modify`, of any state relays, that the calling thread is inside of.
///
/// Such a thread holds the locks of these relays. So it must not cancel a token of one of them, not
/// even by releasing one that has ended. It doesn't run jobs that wait for the main actor, because
/// they may use these relays.
enum RunningModify {
  static var isHere: Bool { CurrentThread[.modify] != 0 }

  static func begin() { CurrentThread[.modify] += 1 }

  static func end() { CurrentThread[.modify] -= 1 }
}
