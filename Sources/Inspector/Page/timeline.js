// The timeline: a bar for each kept commit, and the choice of one.

import { clip, clone, count, duration, fill, find, moves, percent, plural, show } from "./page.js"
import { colour, commits, filter, keep, kindOf, known, matches, paintSwatch, remove, selected, setFilter, setSelected, shown, titleOf } from "./commits.js"
import { showCommit, showOverview } from "./details.js"

/** The width of a bar with its gap, as in the style sheet. */
const barWidth = 8

// Whether the newest commit stays in sight, and the scale with its ends.
export let isFollowing = true, isLog = true
let bottom = 1e4, top = 1e6, gliding
/** What the app said last about its recording. */
let recording = { isPaused: false, missed: 0, error: "" }

// MARK: News

/** Takes newer commits, oldest first. */
export function takeCommits(added) {
  if (!added.length) return
  const wasAtEnd = isFollowing
  const isGap = commits.length > 0 && !known.has(added[0].number - 1)
  const gone = keep(added)
  find("strip").append(...added.map(makeBar))
  added[0].bar.classList.toggle("gap", isGap)
  for (const { bar } of gone) bar.remove()
  updateScale()
  showEmpty()
  const visible = all => all.filter(commit => !commit.bar.hidden).length
  if (wasAtEnd) glide(visible(added))
  // What somebody looks at stays where it is.
  else find("scroller").scrollLeft -= visible(gone) * barWidth
  showCount()
  if (!selected) showOverview()
}

/** Removes all commits, as the app has restarted. */
export function forgetCommits() {
  for (const { bar } of remove(commits.length)) bar.remove()
  select(null)
  showEmpty()
  showCount()
}

/** Shows whether the app records, the commits that it missed meanwhile, and why it can't be asked. */
export function showRecording(state) {
  recording = state
  showEmpty()
  showCount()
}

function showEmpty() {
  const none = !shown().length
  find("scroller").hidden = find("axis").hidden = none
  find("empty").hidden = !none
  find("empty").textContent = recording.error ? "There is nothing to show until the app is back."
    : commits.length ? "No kept commit matches the filter."
    : recording.isPaused ? "Nothing was recorded before the pause. Resume to see commits."
    : "No commit yet. Each commit of the store becomes a bar here, as high as its time."
}

function showCount() {
  const all = plural(commits.length, "commit"), text = filter ? `${count(shown().length)} of ${all}` : `${all} kept`
  const whole = recording.missed ? `${text} · ${count(recording.missed)} missed in this pause` : text
  if (find("count").textContent != whole) find("count").textContent = whole
}

// MARK: Bars and their scale

/** Makes the bar of a commit, with its steps. */
function makeBar(commit) {
  const { total, error, external } = commit
  const bar = commit.bar = clone("barTemplate").firstElementChild
  let end = 0
  const stops = commit.steps.map(({ name, time }) => `${colour(name)} ${end / total * 100}% ${(end += time) / total * 100}%`)
  bar.id = "commit" + commit.number
  bar.hidden = !matches(commit)
  bar.dataset.kind = error != null ? "failed" : external ? "external" : total ? "own" : "unmeasured"
  bar.firstElementChild.style.backgroundImage = stops.length && total ? `linear-gradient(to top, ${stops})` : ""
  bar.firstElementChild.style.height = heightOf(total)
  bar.setAttribute("aria-label", [titleOf(commit), total ? duration(total) : "not measured", kindOf(commit)].filter(Boolean).join(", "))
  return bar
}

function heightOf(total) {
  if (!total) return ""
  const share = isLog ? Math.log(total / bottom) / Math.log(top / bottom) : total / top
  return `${Math.max(2, Math.min(1, share) * 100)}%`
}

/** Fits the scale, which has round ends, so that it seldom changes. */
export function updateScale(isForced) {
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

export function setScale(value) {
  isLog = value == "log"
  find("scale").querySelector(`[value=${value}]`).checked = true
  updateScale(true)
}

// MARK: Following

/** The newest bars come in from the right. */
function glide(added) {
  const scroller = find("scroller"), strip = find("strip")
  scroller.scrollLeft = scroller.scrollWidth
  const way = added * barWidth
  if (!moves() || !way || way > scroller.clientWidth / 3) return
  gliding?.cancel()
  gliding = strip.animate({ translate: [`${way}px`, "0"] }, { duration: 650, easing: "cubic-bezier(.2, .8, .2, 1)" })
}

export function setFollowing(follows) {
  isFollowing = follows
  find("follow").setAttribute("aria-pressed", follows)
  if (follows) find("scroller").scrollLeft = find("scroller").scrollWidth
}

/** Follows the newest commit if it is in sight. */
export function followIfAtEnd() {
  const { scrollLeft, scrollWidth, clientWidth } = find("scroller")
  isFollowing = scrollLeft > scrollWidth - clientWidth - 8
  find("follow").setAttribute("aria-pressed", isFollowing)
}

export function follow() {
  select(null)
  setFollowing(true)
}

// MARK: The filter and the choice

export function applyFilter(text) {
  setFilter(text)
  for (const commit of commits) commit.bar.hidden = !matches(commit)
  showEmpty()
  showCount()
  if (isFollowing) setFollowing(true)
  if (!selected) showOverview()
}

export function clearFilter() {
  find("filter").value = ""
  applyFilter("")
}

/** Selects a commit, or none for all. */
export function select(commit, reveals = true) {
  selected?.bar.setAttribute("aria-selected", "false")
  setSelected(commit)
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

export function selectAt(move) {
  const all = shown(), now = all.indexOf(selected)
  const index = move == "first" ? 0 : now < 0 ? all.length - 1 : Math.max(0, Math.min(all.length - 1, now + move))
  if (!all[index]) return
  select(all[index])
  if (document.activeElement == find("scroller")) showTip(selected)
}

// MARK: The tip

/** Details beside a bar, within the plot. */
export function showTip(commit) {
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
