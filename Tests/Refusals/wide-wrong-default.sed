# One has a default of another type.
s/\\.p20)/\\.p20, default: "two")/
