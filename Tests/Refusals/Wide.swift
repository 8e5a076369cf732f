import EntityStore

/// An entity of 45 attributes of six types in turn; the scripts beside this file put a mistake into it.
struct Wide: Entity {
  let id: Int
  var p1: String
  var p2: Double
  var p3: Bool
  var p4: String?
  var p5: Int?
  var p6: Int
  var p7: String
  var p8: Double
  var p9: Bool
  var p10: String?
  var p11: Int?
  var p12: Int
  var p13: String
  var p14: Double
  var p15: Bool
  var p16: String?
  var p17: Int?
  var p18: Int
  var p19: String
  var p20: Double
  var p21: Bool
  var p22: String?
  var p23: Int?
  var p24: Int
  var p25: String
  var p26: Double
  var p27: Bool
  var p28: String?
  var p29: Int?
  var p30: Int
  var p31: String
  var p32: Double
  var p33: Bool
  var p34: String?
  var p35: Int?
  var p36: Int
  var p37: String
  var p38: Double
  var p39: Bool
  var p40: String?
  var p41: Int?
  var p42: Int
  var p43: String
  var p44: Double
  static let attributes = Attributes(
    .id(\Wide.id),
    .attribute("p1", \.p1),
    .attribute("p2", \.p2),
    .attribute("p3", \.p3),
    .attribute("p4", \.p4),
    .attribute("p5", \.p5),
    .attribute("p6", \.p6),
    .attribute("p7", \.p7),
    .attribute("p8", \.p8),
    .attribute("p9", \.p9),
    .attribute("p10", \.p10),
    .attribute("p11", \.p11),
    .attribute("p12", \.p12),
    .attribute("p13", \.p13),
    .attribute("p14", \.p14),
    .attribute("p15", \.p15),
    .attribute("p16", \.p16),
    .attribute("p17", \.p17),
    .attribute("p18", \.p18),
    .attribute("p19", \.p19),
    .attribute("p20", \.p20),
    .attribute("p21", \.p21),
    .attribute("p22", \.p22),
    .attribute("p23", \.p23),
    .attribute("p24", \.p24),
    .attribute("p25", \.p25),
    .attribute("p26", \.p26),
    .attribute("p27", \.p27),
    .attribute("p28", \.p28),
    .attribute("p29", \.p29),
    .attribute("p30", \.p30),
    .attribute("p31", \.p31),
    .attribute("p32", \.p32),
    .attribute("p33", \.p33),
    .attribute("p34", \.p34),
    .attribute("p35", \.p35),
    .attribute("p36", \.p36),
    .attribute("p37", \.p37),
    .attribute("p38", \.p38),
    .attribute("p39", \.p39),
    .attribute("p40", \.p40),
    .attribute("p41", \.p41),
    .attribute("p42", \.p42),
    .attribute("p43", \.p43),
    .attribute("p44", \.p44))
  static let schema = Schema(attributes, Wide.init)
}
