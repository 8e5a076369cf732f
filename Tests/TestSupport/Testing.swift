// The tools for an app's tests are those of the library's own tests, too.
@_exported public import SignalboxTesting
