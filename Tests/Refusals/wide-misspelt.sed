# One is misspelt.
s/\\.p20)/\\.p02)/
