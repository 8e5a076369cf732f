/// One benchmark in two runs.
struct RecordChange {
  let old: Report.Record
  let new: Report.Record

  /// What the two runs say of it.
  enum Verdict: String, CaseIterable {
    case slower, faster, unchanged, incomparable
  }

  /// How many times dearer it is than it was, beside its baseline; below 1 if it is cheaper.
  ///
  /// Medians and minima are compared, and the one that has changed less counts: a disturbance moves
  /// the median of a run, and seldom its minimum, while a change of the code moves both.
  var factor: Double {
    let medians = new.median / old.median / machine
    let minima = new.min / old.min / machine
    if medians > 1 && minima > 1 { return Swift.min(medians, minima) }
    if medians < 1 && minima < 1 { return Swift.max(medians, minima) }
    return 1
  }

  /// How far a factor may be from 1 without meaning anything: what the samples of the two runs
  /// scatter, and a fifth at least, by which runs of one program differ; a fiftieth for bytes, which
  /// are counted.
  var noise: Double {
    let floor = new.unit == CostUnit.bytes.rawValue ? 0.02 : 0.2
    return Swift.max(floor, scatter(old) + scatter(new))
  }

  /// Whether it is slower, faster or neither; incomparable if it is measured in another unit or beside
  /// another baseline, or costs nothing in a run.
  var verdict: Verdict {
    guard
      old.unit == new.unit, old.baseline == new.baseline,
      [old.median, old.min, old.baselineMedian, new.median, new.min, new.baselineMedian]
        .allSatisfy({ $0 > 0 && $0.isFinite })
    else { return .incomparable }
    if factor > 1 + noise { return .slower }
    if factor < 1 / (1 + noise) { return .faster }
    return .unchanged
  }

  /// How large the change is, whatever its direction.
  var size: Double { Swift.max(factor, 1 / factor) }

  /// How many times dearer the baseline was, which is what the machine has done.
  private var machine: Double { new.baselineMedian / old.baselineMedian }

  private func scatter(_ record: Report.Record) -> Double { record.median / record.min - 1 }
}
