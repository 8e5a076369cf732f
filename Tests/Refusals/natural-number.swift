import EntityStore

let query = Query<Car>().sorted { [$0.year.ascending.natural] }
