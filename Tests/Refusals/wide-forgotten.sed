# One is forgotten.
/attribute("p20"/d
