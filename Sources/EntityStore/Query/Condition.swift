/// A condition of a query: true or false for each object.
public typealias Condition<Root: Entity> = Field<Root, Bool>
