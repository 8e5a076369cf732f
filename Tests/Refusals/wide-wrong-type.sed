# One names a property of another type.
s/\\.p20)/\\.p21)/
