import EntityStore

let query = Query<Car>().filter { $0.yaer > 1990 }
