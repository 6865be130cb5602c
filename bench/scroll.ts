// How smoothly 10,000 conversations are scrolled through in a browser: the built page as people get it, its server, and a database that holds
// ten times as many. Whatever keeps the page's thread busy for 50 ms or more is reported by the browser itself.
import { existsSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { launchBrowser } from '#tests/browser.ts'
import { type BigInbox, OWNER } from './big-inbox.ts'
import { percentile } from './measures.ts'
import { freePort, start, untilReady } from './processes.ts'
import { heading, print, short, table, target } from './report.ts'

const ROWS = 10_000
const LIMIT_MS = 50
/** A list that brings nothing more for so long brings no more. */
const PATIENCE_MS = 30_000
/** Of a frame at sixty a second: three rows and a half, 18,000 pixels a second. */
const STEP_PX = 300

/** What the browser saw while it scrolled. Milliseconds; `tasks`: those that it reports, which are of 50 and more. */
type Seen = { rows: number; tasks: number[]; frames: number[] }

/** @param isQuick a tenth of the rows */
export async function benchScroll(isQuick: boolean, inbox: BigInbox): Promise<void> {
  heading('Scrolling the inbox, in Chromium')
  if (!existsSync('dist/web/index.html')) throw new Error('There is no built page: npm run build')
  // Four of five of what is made lie in the inbox.
  const rows = Math.min(isQuick ? ROWS / 10 : ROWS, Math.floor(inbox.size.conversations * 0.8))
  const port = await freePort()
  const site = `http://localhost:${port}`
  const server = start(['server/main.ts'], {
    ...{
      DATABASE_URL: inbox.databaseUrl,
      DATA_DIR: inbox.dataDir,
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
    },
    PUBLIC_URL: site,
  })
  const browser = await launchBrowser()
  try {
    await untilReady(server, `${site}/readyz`)
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await openInbox(page, site)
    const { result: seen, longestCpuMs } = await withProcessorTimes(page, () => scrollThrough(page, rows))
    report(seen, longestCpuMs, inbox)
  } finally {
    await browser.close()
    await server.stop()
  }
}

type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }

/** @returns also the longest task of the page's thread in time of the processor: what waiting for others on a busy machine adds nothing to */
async function withProcessorTimes<Result>(
  page: Page,
  run: () => Promise<Result>,
): Promise<{ result: Result; longestCpuMs: number }> {
  const devtools = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  devtools.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value as unknown as TraceEvent[]) {
      if (event.name === 'thread_name' || event.name.endsWith('RunTask')) events.push(event)
    }
  })
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'] },
  })
  const result = await run()
  const isComplete = new Promise((done) => devtools.once('Tracing.tracingComplete', done))
  await devtools.send('Tracing.end')
  await isComplete
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const pages = new Set(events.filter(({ args }) => args.name === 'CrRendererMain').map(threadOf))
  const tasks = events.filter((event) => event.tdur !== undefined && pages.has(threadOf(event)))
  return { result, longestCpuMs: tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1000), 0) }
}

function report({ rows, tasks, frames }: Seen, longestCpuMs: number, { size }: BigInbox): void {
  const longest = Math.max(0, ...tasks)
  print(`\n${rows} rows of ${size.conversations} conversations scrolled, ${STEP_PX} pixels a frame.`)
  table(
    ['', 'frames', 'p50 ms', 'p99 ms', 'worst ms', `tasks of ${LIMIT_MS} ms and more`, 'longest task ms'],
    [
      [
        'Parley',
        frames.length,
        percentile(frames, 0.5),
        percentile(frames, 0.99),
        Math.max(...frames),
        tasks.length,
        longest === 0 ? `< ${LIMIT_MS}` : short(longest),
      ],
    ],
  )
  target(`${rows} rows scrolled, longest task, ms`, longest, `≤ ${LIMIT_MS}`, `≤ ${LIMIT_MS}`)
  target('the same in time of the processor, ms', longestCpuMs, '–', `≤ ${LIMIT_MS}`)
  if (longest === 0) print(`No task took ${LIMIT_MS} ms, which is the least that browsers report.`)
}

async function openInbox(page: Page, site: string): Promise<void> {
  await page.goto(`${site}/signin`)
  await page.locator('input[type=email]').fill(OWNER.email)
  await page.locator('input[type=password]').fill(OWNER.password)
  await page.locator('input[type=password]').press('Enter')
  await page.waitForURL((url) => url.pathname === '/agents')
  await page.goto(`${site}/chats`)
  await page.locator('li[aria-posinset="1"]').waitFor()
  await page.waitForTimeout(2_000) // what belongs to opening the page is over
}

/** A step in each frame, as a wheel that is never let go; at the end of what is loaded it waits for more, as a person would. */
function scrollThrough(page: Page, rows: number): Promise<Seen> {
  return page.evaluate(
    async ({ rows, step, patience }) => {
      const list = document.querySelector('li[aria-posinset]')?.closest('ul')?.parentElement
      if (!list) throw new Error('there is no list')
      const tasks: number[] = []
      const frames: number[] = []
      const observer = new PerformanceObserver((entries) => {
        for (const { duration } of entries.getEntries()) tasks.push(duration)
      })
      observer.observe({ type: 'longtask' })
      const loaded = () => Number(document.querySelector('li[aria-setsize]')?.getAttribute('aria-setsize') ?? 0)
      const frame = () => new Promise<number>((done) => requestAnimationFrame(done))
      let before = await frame()
      let moved = { to: -1, at: before }
      const height = document.querySelector<HTMLElement>('li[aria-posinset]')?.offsetHeight ?? 1
      const reached = () => Math.floor((list.scrollTop + list.clientHeight) / height)
      while (reached() < rows) {
        list.scrollTop += step
        const at = await frame()
        frames.push(at - before)
        before = at
        const progress = loaded() + list.scrollTop
        if (progress > moved.to) moved = { to: progress, at }
        else if (at - moved.at > patience) throw new Error(`the list has ended at ${loaded()} rows`)
      }
      await new Promise((done) => setTimeout(done, 500))
      observer.disconnect()
      return { rows: reached(), tasks, frames }
    },
    { rows, step: STEP_PX, patience: PATIENCE_MS },
  )
}
