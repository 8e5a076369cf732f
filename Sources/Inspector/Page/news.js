// News from the app: what it has recorded since, and whether it records.

import { ask, find, root, say } from "./page.js"
import { commits } from "./commits.js"
import { showFigures } from "./details.js"
import { refreshHistory } from "./history.js"
import { forgetLists, takeLists } from "./lists.js"
import { forgetCommits, showRecording, takeCommits } from "./timeline.js"

let failures = 0, isAsking = false, isPaused = false, pauses = 0, timer, lastNews
/** The app's time less that of the page, in microseconds, or null before its first answer. */
let clock = null
/** The commits that the app has missed in all, and those before the pause. */
let missed = 0, missedBefore = null

/** Asks for news, and again a second later, or at once if there is more than an answer has. */
export async function poll() {
  if (isAsking || document.hidden) return
  clearTimeout(timer)
  isAsking = true
  let state
  const before = pauses, start = performance.now()
  try {
    state = await ask("state", { after: commits.at(-1)?.number ?? 0 })
    failures = 0
  } catch (error) {
    failures += 1
    showState(error.message)
  }
  isAsking = false
  // Who pauses meanwhile isn't contradicted by an older answer; its commits come with the next one.
  const isOver = state && before == pauses && !take(state, start)
  timer = setTimeout(poll, failures ? Math.min(15000, 500 * 2 ** failures) : isOver || state.more ? 0 : 1000)
}

/** Takes the answer to what was asked at a time, and returns false if the app has restarted. */
function take(state, start) {
  // Its clock goes back only if it has restarted. The second allows for clocks of different speed.
  if (clock != null && state.now < start * 1000 + clock - 1e6) return forget()
  clock = state.now - performance.now() * 1000
  takeLists(state.lists)
  takeCommits(state.commits)
  takePause(state)
  showFigures(state.now)
  refreshHistory(state.commits)
  return true
}

function forget() {
  forgetCommits()
  forgetLists()
  clock = missedBefore = null
  say("The app has restarted. Its earlier commits are gone.")
  return false
}

function takePause(state) {
  // What somebody else's pause has missed before the page was opened isn't known.
  missedBefore = state.paused ? Math.min(missedBefore ?? Infinity, state.missed) : state.missed
  missed = state.missed
  isPaused = state.paused
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
  showRecording({ isPaused, missed: missed - missedBefore, error })
}

export async function togglePause() {
  pauses += 1
  try {
    const state = await ask("pause", { on: !isPaused }, "POST")
    pauses += 1
    takePause(state)
    say(isPaused ? "Recording paused." : "Recording.")
  } catch (error) { say(error.message) }
}
