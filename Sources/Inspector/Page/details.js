// The figures of the kept commits, and the parts of the selected commit or of all.

import { clip, count, duration, fill, find, moment, percent, plural, setMeter, show, sum, valueText } from "./page.js"
import { colour, commits, filter, kindOf, paintSwatch, selected, shown, stepNames, steps, titleOf } from "./commits.js"
import { lists, queryTexts, workOf } from "./lists.js"

/** Shows the figures at a time in microseconds since the inspector began. */
export function showFigures(now) {
  const measured = commits.filter(commit => commit.total), totals = measured.map(commit => commit.total).sort((a, b) => a - b)
  const at = share => totals.length ? duration(totals[Math.min(totals.length - 1, Math.floor(totals.length * share))]) : "–"
  const all = sum(totals, total => total), [step] = stepTimes(measured).sort((a, b) => b.time - a.time)
  const most = value => measured.reduce((best, commit) => value(commit) > (best ? value(best) : 0) ? commit : best, null)
  const waiting = commit => commit.steps.find(({ name }) => name == "waiting")?.time ?? 0
  const slowest = most(commit => commit.total), longest = most(waiting)
  fill(find("figures"), {
    rate: (commits.filter(({ time }) => time > now - 1e7).length / 10).toFixed(1),
    median: at(0.5), high: at(0.95), measured: `of ${count(measured.length)} measured`, highTimes: "of the whole commit",
    step: all ? step.name : "–", share: all ? `${percent(step.time / all)} of the time` : "",
    slowest: slowest ? duration(slowest.total) : "–", slowestName: slowest ? titleOf(slowest) : "",
    longest: longest ? duration(waiting(longest)) : "–", longestName: longest ? titleOf(longest) : measured.length ? "none waited" : "",
  })
  for (const [id, commit] of Object.entries({ slowest, longest })) {
    find(id).disabled = !commit
    find(id).dataset.commit = commit?.number ?? ""
  }
}

function stepTimes(all) {
  const times = new Map(stepNames.map(name => [name, 0]))
  for (const { steps } of all) for (const { name, time } of steps) times.set(name, (times.get(name) ?? 0) + time)
  return [...times].map(([name, time]) => ({ name, time }))
}

// MARK: The selected commit, or all

export function showCommit() {
  const { time, external, error, changes, changeCount, costs, total, version } = selected
  showParts([selected], costs, {
    title: titleOf(selected), kind: kindOf(selected) || "Own", error: clip(error ?? "", 2000),
    facts: [version == null ? "no version" : `version ${version}`, `at ${moment(time)}`, external && "by another process, store or tool"].filter(Boolean).join(" · "),
    stepsNote: total ? duration(total) : "", costsNote: costs.length ? plural(costs.length, "list") : "",
    changesNote: changes.length < changeCount ? `the first ${changes.length} of ${count(changeCount)}` : changeCount ? count(changeCount) : "",
  })
  find("noChanges").hidden = changes.length > 0
  show(find("changes"), "changeTemplate", changes, changeTexts, showValues)
}

export function showOverview() {
  const all = shown(), measured = all.filter(commit => commit.total), sums = new Map()
  for (const cost of all.flatMap(commit => commit.costs)) {
    // Those that are gone can't be told apart.
    const list = lists.has(cost.list) ? cost.list : ""
    const total = sums.get(list) ?? { list, candidates: 0, comparisons: 0, changes: 0, fetches: 0 }
    for (const name of ["candidates", "comparisons", "changes", "fetches"]) total[name] += cost[name]
    sums.set(list, total)
  }
  const failed = all.filter(commit => commit.error != null).length, external = all.filter(commit => commit.external).length
  showParts(measured, [...sums.values()], {
    title: filter ? "Matching commits" : "All commits", kind: count(all.length), error: "",
    facts: `${count(external)} external · ${count(failed)} failed · choose a bar for one commit`,
    stepsNote: "mean of each commit", costsNote: "sum of these commits",
  })
  const slow = [...measured].sort((a, b) => b.total - a.total).slice(0, 5)
  show(find("slow"), "slowTemplate", slow, commit => ({ title: titleOf(commit), note: moment(commit.time), total: duration(commit.total) }),
    (item, { number }) => { item.firstElementChild.dataset.commit = number })
}

/** What one commit and many have in common. */
function showParts(all, costs, texts) {
  const pane = find("commit"), times = stepTimes(all), total = sum(times, step => step.time), slowest = Math.max(...times.map(step => step.time))
  fill(pane, texts)
  find("changesPart").hidden = find("deselect").hidden = !selected
  find("slowPart").hidden = !!selected || !total
  find("failure").hidden = !texts.error
  find("stepTable").hidden = !total
  find("noSteps").hidden = !!total
  find("noSteps").textContent = selected ? "Its times weren't measured: only this store's own commits are." : "The mean times of the steps are here as soon as a commit was measured."
  show(find("steps"), "stepTemplate", times, ({ name, time }) => ({
    name, note: steps[name] ?? "", time: time ? duration(time / all.length) : "–", share: time ? percent(time / total) : "",
  }), (row, step) => {
    paintSwatch(row, step)
    setMeter(row, step.time / slowest)
    row.querySelector(".meter i").style.background = colour(step.name)
    row.classList.toggle("zero", !step.time)
  })
  find("costTable").hidden = !costs.length
  find("noCosts").hidden = costs.length > 0
  costs = [...costs].sort((a, b) => workOf(b) - workOf(a))
  show(find("costs"), "costTemplate", costs, cost => ({
    ...cost, ...listTexts(cost.list), candidates: count(cost.candidates),
    comparisons: count(cost.comparisons), changes: count(cost.changes), fetches: count(cost.fetches),
  }), (row, { list, fetches }) => {
    linkList(row, list)
    row.classList.toggle("fetched", fetches > 0)
  })
}

/** The short form of a list's query. Lists in the sum of all commits have no id if they are gone. */
function listTexts(id) {
  const view = lists.get(id)
  return view ? queryTexts(view.data) : { entity: "", rest: id ? "a list that is gone" : "lists that are gone" }
}

function linkList(row, id) {
  const button = row.querySelector("button"), view = lists.get(id)
  button.dataset.list = id
  button.title = view?.data.query ?? ""
  button.disabled = !view
}

// MARK: Changes

export const changeTexts = ({ object, before, after }) => ({ object: clip(object, 200), kind: before ? after ? "" : "deleted" : "inserted" })

/** Shows the attributes that differ; the others can be opened. */
export function showValues(item, { object, before, after, changed }) {
  const [old, current] = [before, after].map(values => new Map(Object.entries(values ?? {})))
  const names = [...new Set([...old.keys(), ...current.keys()])]
  // Long values are cut, so only the app can compare them.
  const differs = name => changed.includes(name)
  const rest = names.filter(name => !differs(name)), [differing, others] = item.querySelectorAll(".values")
  item.querySelector(".object").dataset.object = object
  item.querySelector("details").hidden = !rest.length
  fill(item, { others: before && after ? `${count(rest.length)} unchanged` : plural(rest.length, "value") })
  show(differing, "valueTemplate", names.filter(differs), name => ({ attribute: clip(name, 100), before: valueText(old.get(name)), after: valueText(current.get(name)) }))
  show(others, "valueTemplate", rest, name => ({ attribute: clip(name, 100), before: "", after: valueText((after ? current : old).get(name)) }))
}
