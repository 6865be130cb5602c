// The order in which the fair queue serves. No real clock: the test sets the time.
import { describe, expect, it } from 'vitest'
import { seededRandom } from '#tests/random.ts'
import { type FairLimits, FairQueue, type Party, type Turn } from './fair-queue.ts'

const UNLIMITED: FairLimits = { places: 1, most: () => Infinity, isBackground: () => false, budget: null }
const party = (group: string, member = ''): Party => ({ group, member })

/** Serves everything on the available places, each task taking as long as it says. @returns the names in the order of their starts */
function serve(queue: FairQueue<{ name: string; ms: number }>, from = 0): string[] {
  const order: string[] = []
  const running: { turn: Turn<{ name: string; ms: number }>; until: number }[] = []
  for (let now = from; ; ) {
    for (let turn = queue.next(now); turn; turn = queue.next(now)) {
      order.push(turn.task.name)
      running.push({ turn, until: now + turn.task.ms })
    }
    running.sort((a, b) => a.until - b.until)
    const ended = running.shift()
    const retry = queue.retryAt(now)
    if (!ended && retry === null) return order
    now = Math.min(ended?.until ?? Infinity, retry ?? Infinity)
    if (!ended) continue
    if (ended.until > now) running.unshift(ended)
    else queue.end(ended.turn, ended.turn.task.ms, now)
  }
}

describe('the order of starts', () => {
  it('lets one task go between two of a group that has queued a hundred', () => {
    const queue = new FairQueue<{ name: string; ms: number }>(UNLIMITED)
    for (let at = 0; at < 100; at++) queue.add(party('hostile'), { name: 'h', ms: 10 }, 0)
    for (let at = 0; at < 3; at++) queue.add(party('neighbour'), { name: 'n', ms: 10 }, 0)
    expect(serve(queue).slice(0, 6).join('')).toBe('hnhnhn')
  })

  it('serves cheap work more often than dear work', () => {
    const queue = new FairQueue<{ name: string; ms: number }>(UNLIMITED)
    for (let at = 0; at < 20; at++) queue.add(party('dear'), { name: 'D', ms: 100 }, 0)
    for (let at = 0; at < 20; at++) queue.add(party('cheap'), { name: 'c', ms: 5 }, 0)
    const order = serve(queue).join('')
    expect(order.indexOf('D', order.indexOf('D') + 1)).toBeGreaterThan(15)
  })

  it('holds past use against no group, and lets none save up idle time', () => {
    const queue = new FairQueue<{ name: string; ms: number }>(UNLIMITED)
    for (let at = 0; at < 50; at++) queue.add(party('old'), { name: 'o', ms: 100 }, 0)
    serve(queue)
    for (let at = 0; at < 4; at++) queue.add(party('old'), { name: 'o', ms: 100 }, 10_000)
    for (let at = 0; at < 4; at++) queue.add(party('new'), { name: 'n', ms: 100 }, 10_000)
    expect(['onononon', 'nononono']).toContain(serve(queue, 10_000).join(''))
  })

  it('is as fair between the members of a group', () => {
    const queue = new FairQueue<{ name: string; ms: number }>(UNLIMITED)
    for (let at = 0; at < 50; at++) queue.add(party('one', 'busy'), { name: 'b', ms: 10 }, 0)
    for (let at = 0; at < 3; at++) queue.add(party('one', 'calm'), { name: 'c', ms: 10 }, 0)
    expect(serve(queue).slice(0, 6).join('')).toBe('bcbcbc')
  })

  it('counts many members of one group as one: a stranger gains nothing by many addresses', () => {
    const queue = new FairQueue<{ name: string; ms: number }>(UNLIMITED)
    for (let at = 0; at < 100; at++) queue.add(party('strangers', `address ${at}`), { name: 's', ms: 10 }, 0)
    for (let at = 0; at < 3; at++) queue.add(party('neighbour'), { name: 'n', ms: 10 }, 0)
    expect(serve(queue).slice(0, 6).join('')).toBe('snsnsn')
  })
})

describe('places', () => {
  const most = (_: string, isContended: boolean) => (isContended ? 2 : 6)
  const limits: FairLimits = { ...UNLIMITED, places: 8, most }
  const startAll = (queue: FairQueue<string>, now: number) => {
    const turns: Turn<string>[] = []
    for (let turn = queue.next(now); turn; turn = queue.next(now)) turns.push(turn)
    return turns
  }

  it('are never all held by one group, and are few while another is active', () => {
    const queue = new FairQueue<string>(limits)
    for (let at = 0; at < 20; at++) queue.add(party('a'), 'a', 0)
    const alone = startAll(queue, 0)
    expect(alone).toHaveLength(6)
    queue.add(party('b'), 'b', 0)
    expect(startAll(queue, 0).map(({ task }) => task)).toEqual(['b'])
    for (const turn of alone) queue.end(turn, 1, 1)
    expect(startAll(queue, 1)).toHaveLength(2)
  })

  it('are given back to a group once the other has been silent for a while', () => {
    const queue = new FairQueue<string>(limits)
    queue.add(party('b'), 'b', 0)
    const [other] = startAll(queue, 0)
    if (other) queue.end(other, 1, 1)
    for (let at = 0; at < 20; at++) queue.add(party('a'), 'a', 2)
    expect(startAll(queue, 2)).toHaveLength(2)
    expect(startAll(queue, 1_500)).toHaveLength(4)
  })

  it('leave one for the other members of a group that are active', () => {
    const queue = new FairQueue<string>({ ...limits, most: () => 3 })
    queue.add(party('a', 'y'), 'y', 0)
    const [first] = startAll(queue, 0)
    for (let at = 0; at < 9; at++) queue.add(party('a', 'x'), 'x', 0)
    expect(startAll(queue, 0)).toHaveLength(2)
    if (first) queue.end(first, 1, 1)
    queue.add(party('a', 'z'), 'z', 1)
    expect(startAll(queue, 1).map(({ task }) => task)).toEqual(['z'])
  })

  it('are not made few by work in the background', () => {
    const queue = new FairQueue<string>({ ...limits, isBackground: (group) => group === 'system' })
    queue.add(party('system'), 's', 0)
    for (let at = 0; at < 20; at++) queue.add(party('a'), 'a', 0)
    expect(startAll(queue, 0)).toHaveLength(7)
  })
})

describe('the budget', () => {
  const limits: FairLimits = { ...UNLIMITED, places: 4, budget: { perSecond: 500, burst: 100, outstanding: 20 } }

  it('stops a group that has used it up while another is active, and says when to look again', () => {
    const queue = new FairQueue<string>(limits)
    queue.add(party('b'), 'b', 0)
    queue.next(0)
    for (let at = 0; at < 5; at++) queue.add(party('a'), 'a', 0)
    const turn = queue.next(0)
    if (turn) queue.end(turn, 150, 150)
    expect(queue.next(150)).toBeNull()
    expect(queue.retryAt(150)).toBeGreaterThan(150)
    expect(queue.next(255)).toBeNull() // some budget is back, but not enough to start
    expect(queue.next(310)?.task).toBe('a')
  })

  it('leaves no debt to a group that asks for little at once, and is slow for a while', () => {
    const queue = new FairQueue<string>(limits)
    queue.add(party('b'), 'b', 0)
    queue.next(0)
    for (const from of [0, 400, 800]) {
      queue.add(party('calm'), 'c', from)
      const turn = queue.next(from)
      if (turn) queue.end(turn, 400, from + 400)
    }
    for (let at = 0; at < 9; at++) queue.add(party('calm'), 'c', 1_200)
    expect(queue.next(1_210)?.task).toBe('c') // held now, but it owes nothing of before
  })

  it('does not stop a group that asks for little at once, however often', () => {
    const queue = new FairQueue<string>(limits)
    const started = { h: 0, c: 0 }
    for (let now = 0; now < 2_000; now += 8) {
      while (queue.waiting('hostile') < 10) queue.add(party('hostile'), 'h', now)
      queue.add(party('calm'), 'c', now)
      for (let turn = queue.next(now); turn; turn = queue.next(now)) {
        started[turn.task as 'h' | 'c']++
        queue.end(turn, 7, now)
      }
      expect(queue.waiting('calm')).toBe(0)
    }
    expect(started.c * 7).toBeGreaterThan(2 * 500 + 100) // more than the budget
    expect(started.h * 7).toBeLessThan(2 * 500 + 200)
  })

  it('never stops the only active group', () => {
    const queue = new FairQueue<string>(limits)
    queue.add(party('a'), 'a', 0)
    const turn = queue.next(0)
    if (turn) queue.end(turn, 10_000, 10_000)
    queue.add(party('a'), 'a', 10_000)
    expect(queue.next(10_000)?.task).toBe('a')
  })

  it('asks who has run for long to make room, when another is active and only then', () => {
    const queue = new FairQueue<string>(limits)
    queue.add(party('a'), 'a', 0)
    queue.next(0)
    expect(queue.shouldYield(party('a'), 5_000, 5_000)).toBe(false)
    queue.add(party('b'), 'b', 5_000)
    expect(queue.shouldYield(party('a'), 50, 5_000)).toBe(false)
    expect(queue.shouldYield(party('a'), 5_000, 5_000)).toBe(true)
  })

  it.each([false, true])('holds a group to it that asks for little: its last work was cut short (%s)', (isCut) => {
    const queue = new FairQueue<string>({ ...limits, budget: { perSecond: 500, burst: 100, outstanding: 50 } })
    queue.add(party('b'), 'b', 0)
    queue.next(0)
    queue.add(party('a'), 'a', 0)
    const turn = queue.next(0)
    if (isCut) expect(queue.shouldYield(party('a'), 150, 150)).toBe(true)
    if (turn) queue.end(turn, 150, 150)
    queue.add(party('a'), 'a', 150)
    expect(queue.next(150)?.task).toBe(isCut ? undefined : 'a')
    if (isCut) expect(queue.next(310)?.task).toBe('a')
  })

  it('lets work that goes on pay for what it has taken, and says when it may', () => {
    const queue = new FairQueue<string>(limits)
    queue.add(party('b'), 'b', 0)
    const other = queue.next(0)
    queue.add(party('a'), 'a', 0)
    const turn = queue.next(0)
    if (!turn || !other) throw new Error('Nothing has started.')
    queue.pay(turn, 150, 150)
    expect(queue.resumeAt(party('a'), 150)).toBeGreaterThan(150)
    expect(queue.resumeAt(party('a'), 310)).toBeNull()
    queue.pay(turn, 300, 310)
    expect(queue.resumeAt(party('a'), 310)).toBeGreaterThan(310)
    queue.end(other, 400, 400)
    expect(queue.resumeAt(party('a'), 1_500)).toBeNull() // the other is gone
  })
})

it('gives every group that always waits its share, whatever its tasks cost and whichever groups come and go', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = seededRandom(seed)
    const share = () => random.below(1_000) / 1_000
    const queue = new FairQueue<{ group: string; ms: number }>(UNLIMITED)
    const costs = { cheap: 1, middle: 7, dear: 40 } as const
    const used = { cheap: 0, middle: 0, dear: 0, visitor: 0 }
    const add = (group: keyof typeof used, now: number) => {
      const ms = group === 'visitor' ? share() * 20 : costs[group] * (0.5 + share())
      queue.add(party(group), { group, ms }, now)
    }
    for (const group of ['cheap', 'middle', 'dear'] as const) for (let at = 0; at < 3; at++) add(group, 0)
    let now = 0
    while (now < 5_000) {
      const turn = queue.next(now)
      if (!turn) throw new Error('Nothing starts though work waits.')
      const group = turn.task.group as keyof typeof used
      used[group] += turn.task.ms
      now += turn.task.ms
      queue.end(turn, turn.task.ms, now)
      if (group !== 'visitor') add(group, now)
      if (random.chance(0.05)) add('visitor', now)
    }
    const shares = [used.cheap, used.middle, used.dear]
    expect(Math.max(...shares) - Math.min(...shares), `seed ${seed}`).toBeLessThan(4 * 60)
  }
})

it('loses no task and no place, and forgets groups that have gone', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seededRandom(seed)
    const pick = random.below
    const most = (_: string, isContended: boolean) => (isContended ? 1 + (seed % 3) : 4)
    const budget = seed % 2 === 0 ? { perSecond: 300, burst: 50, outstanding: seed % 3 === 0 ? 20 : 0 } : null
    const queue = new FairQueue<number>({ places: 5, most, budget, isBackground: (group) => group === '0' })
    const running: Turn<number>[] = []
    const done = new Set<number>()
    let [now, added] = [0, 0]
    for (let step = 0; step < 500 || done.size < added; step++) {
      now += pick(5)
      if (step < 500 && random.chance(0.5)) queue.add(party(`${pick(60)}`, `${pick(3)}`), added++, now)
      for (let turn = queue.next(now); turn; turn = queue.next(now)) running.push(turn)
      const isStuck = running.length === 0 && done.size < added && queue.retryAt(now) === null
      if (isStuck) throw new Error('Work waits, nothing runs, and no time to look again is given.')
      if (running.length > 5) throw new Error('More work runs than there are places.')
      const [turn] = running.splice(pick(running.length), 1)
      if (!turn) continue
      if (done.has(turn.task)) throw new Error('A task was started twice.')
      done.add(turn.task)
      queue.end(turn, pick(30), now)
    }
    for (let at = 0; at < 1_000; at++) {
      queue.add(party('last'), -1, now + 60_000)
      const turn = queue.next(now + 60_000)
      if (turn) queue.end(turn, 1, now + 60_000 + at)
    }
    expect(queue.size).toBeLessThan(60)
  }
})

describe('several servers', () => {
  const limits: FairLimits = {
    places: 8,
    most: (_, isContended) => (isContended ? 3 : 6),
    isBackground: (group) => group === 'system',
    budget: { perSecond: 500, burst: 250, outstanding: 20 },
  }

  /** Place time that a group which always wants more is given in ten seconds, milliseconds; every half second the queue hears of others. */
  function placeTime(hearEach: (queue: FairQueue<string>, now: number) => void): number {
    const queue = new FairQueue<string>(limits)
    const running: { turn: Turn<string>; until: number }[] = []
    let total = 0
    for (let now = 0; now < 10_000; now += 5) {
      if (now % 500 === 0) hearEach(queue, now)
      while (queue.waiting('hostile') < 10) queue.add(party('hostile'), 'h', now)
      for (const ended of running.filter(({ until }) => until <= now)) {
        running.splice(running.indexOf(ended), 1)
        queue.end(ended.turn, 10, now)
        total += 10
      }
      for (let turn = queue.next(now); turn; turn = queue.next(now)) running.push({ turn, until: now + 10 })
    }
    return total
  }

  it('limit a group that is alone on one of them while another is active elsewhere', () => {
    expect(placeTime(() => {})).toBeGreaterThan(50_000)
    const limited = placeTime((queue, now) => queue.hear('b', ['neighbour'], now))
    expect(limited).toBeLessThan(6_000)
    expect(limited).toBeGreaterThan(4_000)
  })

  it('divide the share of a group that is active on several', () => {
    const shared = placeTime((queue, now) => queue.hear('b', ['neighbour', 'hostile'], now))
    expect(shared).toBeLessThan(3_500)
    expect(shared).toBeGreaterThan(2_000)
  })

  it('do not limit a group by its own work elsewhere', () => {
    expect(placeTime((queue, now) => queue.hear('b', ['hostile'], now))).toBeGreaterThan(50_000)
  })

  it('are forgotten when they have been silent for two seconds', () => {
    const once = placeTime((queue, now) => now === 0 && queue.hear('b', ['neighbour'], now))
    expect(once).toBeGreaterThan(40_000)
  })

  it('hear of who waits, works or has just ended, and not of the server itself', () => {
    const queue = new FairQueue<string>({ ...limits, places: 1 })
    queue.add(party('works'), 'w', 0)
    queue.add(party('waits'), 'w', 0)
    queue.add(party('system'), 's', 0)
    const turn = queue.next(0)
    expect(queue.active(0, 9).sort()).toEqual(['waits', 'works'])
    expect(queue.active(0, 1)).toHaveLength(1)
    if (turn) queue.end(turn, 10, 10)
    expect(queue.active(900, 9).sort()).toEqual(['waits', 'works'])
    expect(queue.active(2_000, 9)).toEqual(['waits'])
  })
})
