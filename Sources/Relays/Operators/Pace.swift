/// The values that are passed on, and the time when.
enum Pace {
  case debounce
  case first
  case latest
}
