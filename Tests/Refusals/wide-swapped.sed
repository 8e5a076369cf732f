# Two of different types are in the wrong order.
/attribute("p20"/{h;d;}
/attribute("p21"/G
