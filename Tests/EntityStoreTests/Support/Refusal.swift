struct Refusal: Error, Equatable {}
