import Foundation

/// The end of a program.
package enum ProcessEnd {
  /// Ends the process with a status.
  ///
  /// A status above 128 stands for the signal that requested the end.
  ///
  /// The process then ends by that signal, as it does without a handler. A shell's `$?` is the
  /// status. If the user presses Control-C for a loop in a script, the loop ends, too.
  package static func exit(_ status: Int32) -> Never {
    if status > 128 {
      // This writes the printed text that is still in a buffer.
      fflush(nil)
      TerminalSignals.end(status - 128)
    }
    // This is reached if there was no signal, or if the signal is ignored or can't be raised.
    Foundation.exit(status)
  }
}
