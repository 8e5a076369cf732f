// The inspector: what each commit of a store took, which lists it concerned, and why an object is in a list.

/** The steps of a commit in their order, and what happens in each. */
const steps = {
  waiting: "for other writers", merging: "external commits", body: "the app's code", rules: "of the schemas",
  storing: "the changes", preparing: "lists brought up to date", sealing: "so that readers see it",
  installing: "deliveries lined up", syncing: "to make it durable", delivering: "to immediate subscribers",
}
const stepNames = Object.keys(steps)
/** How many commits the page keeps. */
const limit = 1000
/** The width of a bar with its gap, as in the style sheet. */
const barWidth = 8

const find = id => document.getElementById(id)
const root = document.documentElement
const still = matchMedia("(prefers-reduced-motion: reduce)")
/** Whether things may move: not in a background tab, where animations would queue. */
const moves = () => !still.matches && !document.hidden
const clone = template => find(template).content.cloneNode(true)

// MARK: Texts

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })
const count = number => number < 1e7 ? number.toLocaleString("en") : compact.format(number)
const plural = (number, noun) => `${count(number)} ${noun}${number == 1 ? "" : "s"}`
const percent = share => share > 0 && share < 0.01 ? "<1%" : Math.round(share * 100) + "%"
const clip = (text, length) => text.length > length ? text.slice(0, length) + "…" : text
const sum = (items, value) => items.reduce((total, item) => total + value(item), 0)

/** A time in nanoseconds with three digits. */
function duration(time) {
  const [size, unit] = time >= 1e9 ? [1e9, "s"] : time >= 1e6 ? [1e6, "ms"] : time >= 1e3 ? [1e3, "µs"] : [1, "ns"]
  const value = time / size
  return `${value >= 100 || unit == "ns" ? Math.round(value) : value.toFixed(value >= 10 ? 1 : 2)} ${unit}`
}

/** A time in microseconds since the inspector began. */
function moment(time) {
  const seconds = time / 1e6, pad = part => String(Math.floor(part)).padStart(2, "0")
  return `${pad(seconds / 3600)}:${pad(seconds / 60 % 60)}:${(seconds % 60).toFixed(3).padStart(6, "0")}`
}

/** A stored value. Bytes are objects, so that they differ from texts. */
function valueText(value) {
  if (value === undefined) return "–"
  if (typeof value?.bytes == "string") return `${plural(value.bytes.length / 2, "byte")} ${clip(value.bytes, 32)}`
  return clip(JSON.stringify(value), 400)
}

/**
 * Shows texts, always as text, in the elements that have their names.
 * @param {Element} element
 * @param {Record<string, any>} texts
 */
function fill(element, texts) {
  for (const cell of element.querySelectorAll("[data-text]")) {
    if (!Object.hasOwn(texts, cell.dataset.text)) continue
    const text = String(texts[cell.dataset.text] ?? "")
    if (cell.textContent != text) cell.textContent = text
  }
}

/** Shows items in the elements of a place, which stay where they are when the items change. */
function show(place, template, items, texts, more) {
  items.forEach((item, index) => {
    const element = place.children[index] ?? place.appendChild(clone(template).firstElementChild)
    fill(element, texts(item))
    more?.(element, item)
  })
  while (place.children.length > items.length) place.lastElementChild.remove()
}

const colours = { failed: "var(--bad)", external: "none" }
const colour = name => stepNames.includes(name) ? `var(--${name})` : colours[name] ?? "var(--soft)"

function paintSwatch(element, { name }) {
  const swatch = element.querySelector(".swatch")
  swatch.style.background = colour(name)
  if (name in colours) swatch.classList.add(name)
}

const setMeter = (element, share) => { element.querySelector(".meter i").style.width = `${Math.min(100, share * 100)}%` }

function say(text) { find("said").textContent = text }

// MARK: News from the server

let failures = 0, isAsking = false, isPaused = false, missed = 0, pauses = 0, timer, lastNews, clock = null

async function ask(path, parameters, method = "GET") {
  const options = { method, cache: "no-store", signal: AbortSignal.timeout(10000) }
  const answer = await fetch(`${path}?${new URLSearchParams(parameters)}`, options)
    .catch(() => { throw new Error("The app can't be reached.") })
  const body = await answer.json().catch(() => null)
  if (answer.ok && body) return body
  throw new Error(body?.error?.message ?? `The app answered with status ${answer.status}.`)
}

/** Asks for news, and again a second later. */
async function poll() {
  if (isAsking || document.hidden) return
  clearTimeout(timer)
  isAsking = true
  let state
  const before = pauses
  try {
    state = await ask("state", { after: firstNews() - 1 })
    failures = 0
  } catch (error) {
    failures += 1
    showState(error.message)
  }
  isAsking = false
  // Who pauses meanwhile isn't contradicted by an older answer; its commits come with the next one.
  const isOver = state && before == pauses && !take(state)
  timer = setTimeout(poll, failures ? Math.min(15000, 500 * 2 ** failures) : isOver ? 0 : 1000)
}

/** The number to ask from: the last known, so that a restart shows, or one whose times were still missing. */
function firstNews() {
  const last = commits.at(-1), soon = commits.slice(-50)
  const unfinished = soon.find(commit => !commit.steps.length && !commit.external && performance.now() - commit.arrival < 5000)
  return Math.max(1, (unfinished ?? last)?.number ?? 1)
}

/** Takes the server's state, and returns false if the app has begun anew. */
function take(state) {
  const last = commits.at(-1), first = state.commits[0]
  const same = last && state.commits.find(commit => commit.number == last.number)
  const isGap = first && last && first.number > last.number && first.time >= last.time
  if (last && !(same ? same.time == last.time : isGap)) return forget()
  takeCommits(state.commits)
  takeLists(state.lists)
  takePause(state)
  const now = performance.now() * 1000
  // Without the server's clock, the newest commit says how late it is at least.
  clock = Math.max(clock ?? -Infinity, (state.now ?? commits.at(-1)?.time ?? 0) - now)
  showFigures(now + clock)
  return true
}

function forget() {
  for (const commit of commits.splice(0)) commit.bar.remove()
  known.clear()
  clock = null
  say("The app has begun anew, and so have the commits.")
  return false
}

function takePause(state) {
  isPaused = state.paused
  missed = state.missed
  lastNews = new Date()
  showState()
}

function showState(error) {
  const state = error ? "lost" : isPaused ? "paused" : "live"
  const text = { lost: "Lost", paused: "Paused", live: "Live" }[state]
  root.dataset.state = find("link").dataset.state = state
  if (find("linkText").textContent != text) find("linkText").textContent = text
  find("pause").textContent = isPaused ? "Resume" : "Pause"
  find("pause").setAttribute("aria-pressed", isPaused)
  const notice = error ? `${error} Trying again. ${lastNews ? `Last news at ${lastNews.toLocaleTimeString("en-GB")}.` : ""}` : ""
  if (find("notice").textContent != notice) find("notice").textContent = notice
  find("notice").hidden = !error
  showEmpty(error)
  showCount()
}

function showEmpty(error) {
  const none = !commits.some(commit => !commit.bar.hidden)
  find("scroller").hidden = find("axis").hidden = none
  find("empty").hidden = !none
  find("empty").textContent = error ? "There is nothing to show until the app is back."
    : commits.length ? "No kept commit matches the filter."
    : isPaused ? "Nothing was recorded before the pause. Resume to see commits."
    : "No commit yet. Each commit of the store becomes a bar here, as high as its time."
}

async function togglePause() {
  pauses += 1
  try {
    const state = await ask("pause", { on: !isPaused }, "POST")
    pauses += 1
    takePause(state)
    say(isPaused ? "Recording paused." : "Recording.")
  } catch (error) { say(error.message) }
}

// MARK: Commits

/** @type {any[]} The kept commits, oldest first. */
const commits = []
/** @type {Map<number, any>} The same by their numbers. */
const known = new Map()
/** @type {any} The commit that is shown. */
let selected = null

function takeCommits(news) {
  const wasAtEnd = isFollowing, added = []
  for (const item of news) {
    const old = known.get(item.number)
    if (old) finish(old, item)
    else added.push(adopt(item))
  }
  if (!added.length) return
  commits.push(...added)
  find("strip").append(...added.map(commit => commit.bar))
  const gone = commits.splice(0, Math.max(0, commits.length - limit))
  for (const { bar, number } of gone) { bar.remove(); known.delete(number) }
  updateScale()
  showEmpty()
  const visible = all => all.filter(commit => !commit.bar.hidden).length
  if (wasAtEnd) glide(visible(added))
  // What somebody looks at stays where it is.
  else find("scroller").scrollLeft -= visible(gone) * barWidth
  showCount()
  if (!selected) showOverview()
  refreshHistory(added)
}

/** Times that have come after their commit. */
function finish(commit, { steps, error }) {
  if (commit.steps.length >= steps.length) return
  Object.assign(commit, { steps, error, total: sum(steps, step => step.time) })
  dress(commit)
  if (commit == selected) showCommit()
}

function adopt(commit) {
  const last = known.get(commit.number - 1)
  commit.total = sum(commit.steps, step => step.time)
  commit.arrival = performance.now()
  const objects = commit.changes.map(change => change.object)
  commit.text = [commit.name, commit.version, commit.error, commit.external ? "external" : "", commit.error != null ? "failed" : "", ...objects]
    .join("\n").toLowerCase()
  commit.bar = clone("barTemplate").firstElementChild
  commit.bar.id = "commit" + commit.number
  commit.bar.classList.toggle("gap", !last && known.size > 0)
  commit.bar.hidden = !matches(commit)
  known.set(commit.number, commit)
  dress(commit)
  return commit
}

/** Shows a commit's steps in its bar. */
function dress(commit) {
  const { bar, total, error, external } = commit
  let end = 0
  const stops = commit.steps.map(({ name, time }) => `${colour(name)} ${end / total * 100}% ${(end += time) / total * 100}%`)
  bar.firstElementChild.style.backgroundImage = stops.length && total ? `linear-gradient(to top, ${stops})` : ""
  bar.dataset.kind = error != null ? "failed" : external ? "external" : total ? "own" : "unmeasured"
  bar.firstElementChild.style.height = heightOf(total)
  bar.setAttribute("aria-label", [titleOf(commit), total ? duration(total) : "not measured", kindOf(commit)].filter(Boolean).join(", "))
}

const titleOf = ({ name, version, number }) => clip(name || (version == null ? `Commit ${number}` : `Version ${version}`), 200)
const kindOf = ({ error, external, version }) => error != null ? "Failed" : external ? "External" : version == null ? "No version" : ""

// MARK: The timeline

let isFollowing = true, isLog = true, bottom = 1e4, top = 1e6, filter = "", gliding

const matches = commit => filter.split(/\s+/).every(word => commit.text.includes(word))
const shown = () => commits.filter(commit => !commit.bar.hidden)

function heightOf(total) {
  if (!total) return ""
  const share = isLog ? Math.log(total / bottom) / Math.log(top / bottom) : total / top
  return `${Math.max(2, Math.min(1, share) * 100)}%`
}

/** Fits the scale, which has round ends, so that it seldom changes. */
function updateScale(isForced) {
  const totals = commits.map(commit => commit.total).filter(Boolean)
  const least = Math.min(...totals, 1e6), most = Math.max(...totals, 1e4)
  const decade = time => 10 ** Math.floor(Math.log10(time))
  const unit = decade(most), ends = isLog ? [decade(least / 1.5), decade(most) * 10] : [0, [1, 1.5, 2, 3, 5, 7.5, 10].find(times => times * unit >= most) * unit]
  if (!isForced && ends[0] == bottom && ends[1] == top) return
  [bottom, top] = ends
  for (const { bar, total } of commits) bar.firstElementChild.style.height = heightOf(total)
  const marks = isLog ? Array.from({ length: Math.round(Math.log10(top / bottom)) + 1 }, (_, power) => bottom * 10 ** power) : [0, top / 2, top]
  show(find("axis"), "axisTemplate", marks, time => ({ time: time ? duration(time).replace(/\.0+ /, " ") : "0" }), (line, time) => {
    line.style.bottom = isLog ? `${Math.log(time / bottom) / Math.log(top / bottom) * 100}%` : `${time / top * 100}%`
  })
}

/** The newest bars come in from the right. */
function glide(added) {
  const scroller = find("scroller"), strip = find("strip")
  scroller.scrollLeft = scroller.scrollWidth
  const way = added * barWidth
  if (!moves() || !way || way > scroller.clientWidth / 3) return
  gliding?.cancel()
  gliding = strip.animate({ translate: [`${way}px`, "0"] }, { duration: 650, easing: "cubic-bezier(.2, .8, .2, 1)" })
}

function setFollowing(follows) {
  isFollowing = follows
  find("follow").setAttribute("aria-pressed", follows)
  if (follows) find("scroller").scrollLeft = find("scroller").scrollWidth
}

function showCount() {
  const all = plural(commits.length, "commit"), text = filter ? `${count(shown().length)} of ${all}` : `${all} kept`
  const whole = missed ? `${text} · ${count(missed)} missed` : text
  if (find("count").textContent != whole) find("count").textContent = whole
}

function applyFilter(text) {
  filter = text.trim().toLowerCase()
  for (const commit of commits) commit.bar.hidden = !matches(commit)
  showEmpty()
  showCount()
  if (isFollowing) setFollowing(true)
  if (!selected) showOverview()
}

/** Selects a commit, or none for all. */
function select(commit, reveals = true) {
  selected?.bar.setAttribute("aria-selected", "false")
  selected = commit
  const { bar } = commit ?? {}, scroller = find("scroller")
  if (bar?.isConnected && !bar.hidden) scroller.setAttribute("aria-activedescendant", bar.id)
  else scroller.removeAttribute("aria-activedescendant")
  if (!commit) return showOverview()
  setFollowing(false)
  bar.setAttribute("aria-selected", "true")
  if (reveals) {
    const x = bar.offsetLeft, { scrollLeft, clientWidth } = scroller
    if (x < scrollLeft + 40 || x > scrollLeft + clientWidth - 40) scroller.scrollLeft = x - clientWidth / 2
  }
  for (const place of ["changes", "costs"]) find(place).replaceChildren()
  find("commit").scrollTop = 0
  showCommit()
}

function selectAt(move) {
  const all = shown(), now = all.indexOf(selected)
  const index = move == "first" ? 0 : now < 0 ? all.length - 1 : Math.max(0, Math.min(all.length - 1, now + move))
  if (!all[index]) return
  select(all[index])
  if (document.activeElement == find("scroller")) showTip(selected)
}

/** Details beside a bar, within the plot. */
function showTip(commit) {
  const tip = find("tip")
  tip.hidden = !commit?.bar.isConnected || commit.bar.hidden
  if (tip.hidden) return
  const slow = [...commit.steps].sort((a, b) => b.time - a.time), { total } = commit
  fill(tip, {
    title: clip(titleOf(commit), 60), total: total ? duration(total) : "",
    more: [kindOf(commit), commit.version != null && `version ${commit.version}`, plural(commit.changeCount, "object")].filter(Boolean).join(" · "),
  })
  show(find("tipSteps"), "tipTemplate", slow.slice(0, 4), ({ name, time }) => ({ name, time: `${duration(time)} · ${percent(time / total)}` }), paintSwatch)
  const plot = find("plot").getBoundingClientRect(), bar = commit.bar.getBoundingClientRect(), x = bar.left - plot.left
  const isRight = x > plot.width / 2
  tip.style.left = `${Math.max(4, Math.min(plot.width - tip.offsetWidth - 4, isRight ? x - tip.offsetWidth - 8 : x + 16))}px`
}

// MARK: Figures

function showFigures(now) {
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

function showCommit() {
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

function showOverview() {
  const all = shown(), measured = all.filter(commit => commit.total), sums = new Map()
  for (const cost of all.flatMap(commit => commit.costs)) {
    const total = sums.get(cost.list) ?? { list: cost.list, candidates: 0, comparisons: 0, changes: 0, fetches: 0 }
    for (const name of ["candidates", "comparisons", "changes", "fetches"]) total[name] += cost[name]
    sums.set(cost.list, total)
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
    ...cost, ...queryTexts(lists.get(cost.list)?.data.query ?? cost.list), candidates: count(cost.candidates),
    comparisons: count(cost.comparisons), changes: count(cost.changes), fetches: count(cost.fetches),
  }), (row, { list, fetches }) => {
    linkList(row, list)
    row.classList.toggle("fetched", fetches > 0)
  })
}

function linkList(row, id) {
  const button = row.querySelector("button")
  button.dataset.list = button.title = id
  button.disabled = !lists.has(id)
}

const changeTexts = ({ object, before, after }) => ({ object: clip(object, 200), kind: before ? after ? "" : "deleted" : "inserted" })

/** Shows the attributes that differ; the others can be opened. */
function showValues(item, { object, before, after }) {
  const [old, current] = [before, after].map(values => new Map(Object.entries(values ?? {})))
  const names = [...new Set([...old.keys(), ...current.keys()])]
  const differs = name => before && after && JSON.stringify(old.get(name)) != JSON.stringify(current.get(name))
  const rest = names.filter(name => !differs(name)), [changed, others] = item.querySelectorAll(".values")
  item.querySelector(".object").dataset.object = object
  item.querySelector("details").hidden = !rest.length
  fill(item, { others: before && after ? `${count(rest.length)} unchanged` : plural(rest.length, "value") })
  show(changed, "valueTemplate", names.filter(differs), name => ({ attribute: clip(name, 100), before: valueText(old.get(name)), after: valueText(current.get(name)) }))
  show(others, "valueTemplate", rest, name => ({ attribute: clip(name, 100), before: "", after: valueText((after ? current : old).get(name)) }))
}

// MARK: Lists

/** @type {Map<string, { data: any, row: HTMLElement, detail: HTMLElement | null, button: HTMLElement }>} */
const lists = new Map()
const order = { by: "work", falls: true }
/** The object that was looked at last, for which lists are asked. */
let object = ""

const workOf = ({ candidates, comparisons }) => candidates + comparisons
const entityOf = query => query.match(/^Query<([^>]*)>/)?.[1] ?? ""
const waitingOf = ({ models }) => sum(models, model => model.waiting)

/** The entity of a query, and the rest in one line. */
function queryTexts(query) {
  const entity = entityOf(query)
  const rest = query.replace(/^[\w ]+: /, "").replace(/^Query<[^>]*>\(\)/, "").replace(/\s+/g, " ").trim()
  return { entity: entity || entityOf(query.replace(/^[\w ]+: /, "")), rest: clip(rest || "all", 300) }
}

function takeLists(all) {
  const here = new Set(all.map(list => list.id)), most = Math.max(1, ...all.map(workOf))
  for (const [id, view] of lists) if (!here.has(id)) dropList(id, view)
  for (const data of all) showList(data, most)
  find("noLists").hidden = lists.size > 0
  find("listTable").hidden = !lists.size
  find("listCount").textContent = lists.size ? count(lists.size) : ""
  // Rows don't move under somebody's pointer or focus.
  const table = find("listTable")
  if (!table.matches(":hover, :focus-within") && !table.querySelector("[aria-expanded=true]")) sortLists()
}

function dropList(id, { row, detail }) {
  // One that is read stays until it is closed.
  if (detail && !detail.hidden) return row.classList.add("gone")
  row.remove()
  detail?.remove()
  lists.delete(id)
}

function showList(data, most) {
  let view = lists.get(data.id)
  if (!view) {
    const row = clone("listTemplate").firstElementChild, button = row.querySelector("button")
    lists.set(data.id, view = { row, button, detail: null })
    button.title = data.query
    button.addEventListener("click", () => toggleList(data.id))
    find("lists").append(row)
  }
  view.data = data
  const work = workOf(data), waiting = waitingOf(data)
  fill(view.row, {
    ...queryTexts(data.query), kind: data.kind, rows: count(data.rows), models: count(data.models.length), work: count(work),
    average: data.commits ? (work / data.commits).toFixed(1) : "–", fetches: count(data.fetches), waiting: waiting ? count(waiting) : "–",
  })
  setMeter(view.row, work / most)
  view.row.classList.remove("gone")
  view.row.classList.toggle("wrong", data.models.some(model => model.error != null))
  view.row.classList.toggle("waits", waiting > 0)
  if (view.detail && !view.detail.hidden) showDetail(view)
}

const sortKeys = {
  name: ({ query }) => query, rows: list => list.rows, models: list => list.models.length, work: workOf,
  average: list => workOf(list) / (list.commits || 1), fetches: list => list.fetches, waiting: waitingOf,
}

function sortLists() {
  const key = sortKeys[order.by], compare = (a, b) => a < b ? -1 : a > b ? 1 : 0
  const all = [...lists.values()].sort((a, b) => compare(key(a.data), key(b.data)) * (order.falls ? -1 : 1) || compare(a.data.id, b.data.id))
  const rows = all.flatMap(({ row, detail }) => detail ? [row, detail] : [row])
  if (rows.some((row, index) => find("lists").children[index] != row)) find("lists").append(...rows)
}

function sortBy(name) {
  order.falls = order.by == name ? !order.falls : name != "name"
  order.by = name
  for (const button of document.querySelectorAll("[data-sort]"))
    button.parentElement.setAttribute("aria-sort", button.dataset.sort != name ? "none" : order.falls ? "descending" : "ascending")
  sortLists()
}

function toggleList(id, opens) {
  const view = lists.get(id)
  if (!view) return
  const isOpen = opens ?? view.button.getAttribute("aria-expanded") != "true"
  view.button.setAttribute("aria-expanded", isOpen)
  view.row.classList.toggle("open", isOpen)
  if (isOpen && !view.detail) makeDetail(view)
  if (view.detail) view.detail.hidden = !isOpen
  if (isOpen) showDetail(view)
  else if (view.row.classList.contains("gone")) dropList(id, view)
}

function makeDetail(view) {
  const detail = view.detail = clone("detailTemplate").firstElementChild, plan = detail.querySelector(".plan")
  view.row.after(detail)
  spanColumns()
  view.input = detail.querySelector("input")
  plan.addEventListener("toggle", async () => {
    if (plan.open) plan.querySelector("pre").textContent = await ask("plan", { list: view.data.id }).then(({ plan }) => plan, error => error.message)
  })
  detail.querySelector("form").addEventListener("submit", event => {
    event.preventDefault()
    explain(view)
  })
  if (entityOf(view.data.query) == entityOf(`Query<${object.split("(")[0]}>`)) view.input.value = object
}

/** Details span the columns that there is room for. */
function spanColumns() {
  const columns = [...document.querySelectorAll("#listTable > thead th")].filter(column => column.offsetParent)
  for (const { detail } of lists.values()) if (detail) detail.firstElementChild.colSpan = columns.length
}

function showDetail({ detail, data }) {
  const { models, commits, candidates, comparisons, fetches } = data
  fill(detail, { query: data.query, facts: `Asked about ${plural(commits, "commit")}: ${plural(candidates, "candidate")}, ${plural(comparisons, "comparison")}, read whole ${fetches == 1 ? "once" : `${count(fetches)} times`}` })
  detail.querySelector("[data-none]").hidden = models.length > 0
  detail.querySelector(".models").hidden = !models.length
  show(detail.querySelector(".models tbody"), "modelTemplate", models, ({ from, rows, total, subscriptions, waiting, error }) => ({
    window: rows ? `${count(from)} – ${count(from + rows - 1)}` : "none", total: count(total), subscriptions: count(subscriptions),
    waiting: count(waiting), error,
  }), (row, { error }) => row.classList.toggle("wrong", error != null))
}

function openList(id, asked) {
  const view = lists.get(id)
  if (!view) return
  toggleList(id, true)
  // Where the history lies over the lists, the answer would be under it.
  if (asked && matchMedia("(width < 84rem)").matches) closeHistory()
  view.row.scrollIntoView({ block: "start", behavior: moves() ? "smooth" : "auto" })
  view.button.focus({ preventScroll: true })
  if (!asked) return
  view.input.value = asked
  explain(view)
}

// MARK: Why an object is in a list

async function explain({ detail, input, data }) {
  const name = input.value.trim(), place = detail.querySelector(".answer")
  if (!name) return input.focus()
  const reasons = await ask("reasons", { object: name, list: data.id }).catch(error => ({ error }))
  // Meanwhile another object may be asked for.
  if (input.value.trim() != name) return
  place.replaceChildren(clone("answerTemplate"))
  const { verdict, hint } = judge(clip(name, 100), reasons, data)
  fill(place, { verdict, hint })
  place.dataset.truth = reasons.error ? "unknown" : reasons.belongs
  if (reasons.filter) place.querySelector(".reasons").append(reasonItem(reasons.filter, true))
  const keys = [...(reasons.section ?? []).map(key => ({ label: "Section", ...key })), ...(reasons.order ?? []).map(key => ({ label: "Sorted by", ...key }))]
  show(place.querySelector(".keys"), "keyTemplate", keys, key => ({ ...key, value: clip(key.value, 400) }))
}

function judge(name, { error, stored, belongs, filter }, { kind }) {
  if (error) return { verdict: error.message, hint: "" }
  if (!stored) return { verdict: `${name} isn't in the store.`, hint: "It was deleted, or it never was." }
  if (!belongs) return { verdict: `${name} doesn't belong to this list.`, hint: "The marked conditions decide it." }
  const hint = kind.includes("window") ? " A window may not reach it for all that." : ""
  return { verdict: `${name} belongs to this list.`, hint: (filter ? "All that decides it is marked." : "The list has no filter: every object belongs to it.") + hint }
}

/** A condition with its parts; those that decide are marked. */
function reasonItem({ condition, isTrue, values, parts }, decides) {
  const item = clone("reasonTemplate").firstElementChild
  fill(item, { truth: isTrue ? "true: " : "false: ", condition: parts.length ? joint(condition, parts) : clip(condition, 1000) })
  item.dataset.truth = isTrue
  item.classList.toggle("decides", decides && !parts.length)
  item.classList.toggle("joint", parts.length > 0)
  show(item.querySelector(".compared"), "comparedTemplate", values, ({ expression, value }) => ({ expression, value: clip(value, 400) }))
  item.querySelector(".reasons").append(...parts.map(part => reasonItem(part, decides && (parts.length == 1 || part.isTrue == isTrue))))
  return item
}

/** How parts make a condition, by what follows the first of them. */
function joint(condition, parts) {
  if (parts.length == 1) return "not"
  const [first] = parts, rest = condition.slice(condition.indexOf(first.condition) + first.condition.length)
  return /^[\s)]*\|\|/.test(rest) ? "one of" : "all of"
}

// MARK: The history of an object

const panel = find("history")
let opener = null

async function openHistory(name) {
  if (panel.hidden) opener = document.activeElement
  if (object != name) find("historyChanges").replaceChildren()
  object = name
  fill(panel, { title: clip(name, 200), facts: "Asking…" })
  panel.hidden = false
  root.classList.add("split")
  panel.scrollTop = 0
  panel.focus({ preventScroll: true })
  const entity = name.split("(")[0], views = [...lists.values()].filter(({ data }) => entityOf(data.query) == entity)
  for (const { input } of views) if (input) input.value = name
  show(find("asks"), "askTemplate", views, ({ data }) => queryTexts(data.query), (item, { data }) => {
    Object.assign(item.firstElementChild.dataset, { list: data.id, asked: name })
    item.firstElementChild.title = data.query
  })
  find("askTitle").hidden = !views.length
  await loadHistory()
}

async function loadHistory() {
  const name = object, { changes, error } = await ask("history", { object: name }).catch(error => ({ error }))
  if (panel.hidden || name != object) return
  const all = allChanges(changes ?? [])
  fill(panel, { facts: error?.message ?? `${plural(all.length, "change")} in the kept commits` })
  if (!error) show(find("historyChanges"), "changeTemplate", all.reverse(), historyTexts, (item, change) => {
    showValues(item, change)
    const button = item.querySelector(".object"), commit = commits.findLast(({ version }) => version == change.version)
    delete button.dataset.object
    button.disabled = !commit
    button.dataset.commit = commit?.number ?? ""
  })
}

/** The page knows older commits, and the server all changes of the newest ones. */
function allChanges(changes) {
  const recorded = new Set(changes.map(change => change.version))
  const older = commits.flatMap(commit => commit.changes.filter(change => change.object == object && !recorded.has(change.version)))
  return [...older, ...changes].sort((a, b) => a.version - b.version)
}

function historyTexts(change) {
  const commit = commits.findLast(({ version }) => version == change.version)
  return { ...changeTexts(change), object: `Version ${change.version}${commit?.name ? ` · ${clip(commit.name, 100)}` : ""}` }
}

function refreshHistory(news) {
  if (!panel.hidden && news.some(({ changes }) => changes.some(change => change.object == object))) loadHistory()
}

function closeHistory() {
  const focused = panel.contains(document.activeElement)
  panel.hidden = true
  root.classList.remove("split")
  if (focused) (opener?.isConnected ? opener : find("scroller")).focus({ preventScroll: true })
}

// MARK: Pointer and keys

const commitOf = target => known.get(Number(target.closest?.(".strip > *")?.id.slice(6)))

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button"), bar = commitOf(target)
  if (bar) return select(bar, false)
  if (!button) return
  const { list, asked, commit, object: name, sort } = button.dataset
  if (list != null) openList(list, asked)
  else if (name != null) openHistory(name)
  else if (commit) reveal(known.get(Number(commit)))
  else if (sort) sortBy(sort)
})

/** Selects a commit that isn't in sight, and goes there where panes are below each other. */
function reveal(commit) {
  if (!commit) return
  if (commit.bar.hidden) clearFilter()
  select(commit)
  if (!matchMedia("(width < 64rem)").matches) return
  closeHistory()
  find("commit").scrollIntoView({ behavior: moves() ? "smooth" : "auto" })
}

function clearFilter() {
  find("filter").value = ""
  applyFilter("")
}

function setScale(value) {
  isLog = value == "log"
  find("scale").querySelector(`[value=${value}]`).checked = true
  updateScale(true)
}

function follow() {
  select(null)
  setFollowing(true)
}

const actions = {
  pause: togglePause, follow: () => isFollowing ? setFollowing(false) : follow(), previous: () => selectAt(-1), next: () => selectAt(1),
  deselect: follow, historyClose: closeHistory,
}
for (const [id, action] of Object.entries(actions)) find(id).addEventListener("click", action)

const scroller = find("scroller")
scroller.addEventListener("pointermove", ({ target }) => showTip(commitOf(target)))
scroller.addEventListener("pointerleave", () => showTip(null))
scroller.addEventListener("focus", () => scroller.matches(":focus-visible") && showTip(selected ?? shown().at(-1)))
scroller.addEventListener("blur", () => showTip(null))
// Who scrolls back wants to look, and who scrolls to the end wants to follow again.
for (const name of ["wheel", "touchmove", "pointerup"]) scroller.addEventListener(name, () => setTimeout(() => {
  if (!selected) isFollowing = scroller.scrollLeft > scroller.scrollWidth - scroller.clientWidth - 8
  find("follow").setAttribute("aria-pressed", isFollowing)
}, 200), { passive: true })

let typing
find("filter").addEventListener("input", ({ target }) => {
  clearTimeout(typing)
  typing = setTimeout(() => applyFilter(target.value), 150)
})
find("scale").addEventListener("change", ({ target }) => setScale(target.value))

const keys = {
  " ": togglePause, ArrowLeft: () => selectAt(-1), ArrowRight: () => selectAt(1), Home: () => selectAt("first"), End: follow,
  l: () => setScale(isLog ? "linear" : "log"), "/": () => find("filter").select(),
  Escape: () => !panel.hidden ? closeHistory() : selected ? follow() : clearFilter(),
}

addEventListener("keydown", event => {
  const { target, key } = event
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !keys[key]) return
  const isText = target.matches("input:not([type=radio])")
  if (isText ? key != "Escape" || target != find("filter") : target.matches("button, summary, a, [type=radio]") && (key == " " || target.type == "radio" && key.startsWith("Arrow"))) return
  event.preventDefault()
  if (isText) clearFilter(), scroller.focus()
  else keys[key]()
})

// MARK: Colours

const themes = ["system", "light", "dark"]

function showTheme(theme) {
  root.dataset.theme = theme
  find("theme").ariaLabel = find("theme").title = "Colours: " + (theme == "system" ? "as the system" : theme)
}

find("theme").addEventListener("click", () => {
  const theme = themes[(themes.indexOf(root.dataset.theme ?? "system") + 1) % themes.length]
  showTheme(theme)
  try { localStorage.setItem("theme", theme) } catch { /* Then it isn't remembered. */ }
})
try { showTheme(themes.find(theme => theme == localStorage.getItem("theme")) ?? "system") } catch { /* The system's colours. */ }

// MARK: Start

/** What the page has, for tests. */
window.inspectorSummary = () => ({ commits: commits.length, lists: lists.size, selected: selected?.number ?? null })

show(find("legend"), "legendTemplate", [...stepNames, "failed", "external"].map(name => ({ name })), item => item, paintSwatch)
updateScale(true)
showOverview()
new ResizeObserver(spanColumns).observe(find("listTable"))
document.addEventListener("visibilitychange", poll)
poll()
