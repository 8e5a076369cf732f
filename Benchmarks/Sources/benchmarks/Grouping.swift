/// A number with a comma before each group of three digits.
func grouped(_ number: Int) -> String {
  var result = ""
  for (offset, digit) in String(number).reversed().enumerated() {
    if offset > 0, offset.isMultiple(of: 3), digit != "-" { result.append(",") }
    result.append(digit)
  }
  return String(result.reversed())
}
