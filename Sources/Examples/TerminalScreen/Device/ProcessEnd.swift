import Foundation

/// How a program ends.
package enum ProcessEnd {
  /// Ends the process with a status; one above 128 means the signal that asked for the end.
  ///
  /// Then the process ends by that signal, as it does without a handler: a shell's `$?` is the status, and a loop of a
  /// script that Control-C was meant for ends, too.
  package static func exit(_ status: Int32) -> Never {
    if status > 128 {
      // What has been printed and isn't written yet.
      fflush(nil)
      TerminalSignals.end(status - 128)
    }
    // If the signal is ignored, or can't be raised.
    Foundation.exit(status)
  }
}
