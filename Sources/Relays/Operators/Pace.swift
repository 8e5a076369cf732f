/// A rule for which values are passed on, and when.
enum Pace {
  case debounce
  case first
  case latest
}
