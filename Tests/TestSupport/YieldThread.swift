internal import Locking

/// Lets other threads run.
func yieldThread() { CurrentThread.yield() }
