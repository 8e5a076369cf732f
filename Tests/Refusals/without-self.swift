import EntityStore

extension Row where Root == Car, Target == Car {
  var isOld: Condition<Car> { year < 1970 }
}
