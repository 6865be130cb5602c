// Which of several parties goes next when they share a few places. Pure: no clock, no promises; fair-scheduler.ts runs the work.
//
// Start-time fair queueing on two levels. A group (an organization) carries a tag, the place time it has been given so far; of the groups
// that wait the one with the smallest tag goes next, and within it the member (an account) with the smallest. What work costs is known
// afterwards: a start is charged the group's average, and its end corrects that. A newcomer starts at the tag of the latest start, so
// past use is not held against anybody and idle time cannot be saved up.
//
// While another group is active, a group holds fewer places and may use only so much place time a second: the places share processors,
// and a group that holds several of them slows the others down even while places are free. A group that has little work outstanding at a
// time is not held to this budget, unless work of it was just cut short for it: what is left of that is outstanding too.
//
// Several servers may share what the places stand for. Each hears which groups are active on the others: a group is limited here also while
// others are active only there, and its share is divided by the servers that it is active on.

/** On whose behalf work is done. `group`: an organization, or all strangers together. `member`: one account or address of it. */
export type Party = { group: string; member: string }

export type FairLimits = {
  /** Work under way at once, of all groups together. */
  places: number
  /** Work under way at once of one group. `isContended`: another group that counts is active. */
  most(group: string, isContended: boolean): number
  /** Groups whose activity does not limit others. They are not limited by the budget either. */
  isBackground(group: string): boolean
  /**
   * Milliseconds of place time that a group may use in a second while others are active, and how much it can save up. It binds a group only
   * while more of its work is outstanding than `outstanding`: one that asks for little at once makes no one wait, however often it asks, and
   * must not wait for its budget while processors are idle. Null: no limit.
   */
  budget: { perSecond: number; burst: number; outstanding: number } | null
}

/** A start that was granted: to be handed back to `end`. */
export type Turn<Task> = { task: Task; party: Party; estimate: number }

type Member<Task> = { key: string; tag: number; running: number; waiting: Task[] }
type Group<Task> = {
  key: string
  tag: number
  /** Tag of the latest start of a member. */
  time: number
  running: number
  waiting: number
  members: Map<string, Member<Task>>
  /** Moving average of what its work takes, milliseconds. */
  meanCost: number
  credit: number
  creditAt: number
  /** Its last start or end here. */
  activeAt: number
  /** The budget was used up, and is not there again by a good part: work in small bits costs more than it does. */
  isSpent: boolean
  /** Work was cut short, or rests, because the budget was used up, which is not there again yet. */
  isCut: boolean
}

/** How long a group counts as active after its last start or end, milliseconds. */
const ACTIVE_MS = 1_000
/** How long what another server has announced counts, milliseconds: announcements come twice a second. */
const HEARD_MS = 2_000
/** A group is never blocked longer for what it has overdrawn: multiples of the burst. */
const DEBT_BURSTS = 4
/** Share of the burst that must be refilled before a group that has used up its budget continues. */
const RESUME_SHARE = 0.05
/** The others may become inactive before the budget is there again. */
const LOOK_EVERY_MS = 100
/**
 * Weight of the latest cost in the average, where it is below it and above it: others who keep the processors busy make all work slow for a while,
 * which says little of what it costs.
 */
const LATEST = { below: 0.2, above: 0.02 }
const FIRST_ESTIMATE_MS = 5
/** Idle groups are removed each time this many starts have been granted. */
const TIDY_EVERY = 256

export class FairQueue<Task> {
  readonly #limits: FairLimits
  readonly #groups = new Map<string, Group<Task>>()
  /** Those with work that waits. */
  readonly #ready = new Set<Group<Task>>()
  /** Foreground groups with work that waits or runs. */
  #busy = 0
  /** The two foreground groups that were active last, the latest first. */
  #latest: { key: string; at: number }[] = []
  /** Groups that are active on other servers, by server. */
  readonly #elsewhere = new Map<string, { groups: ReadonlySet<string>; at: number }>()
  #time = 0
  #running = 0
  #starts = 0

  constructor(limits: FairLimits) {
    this.#limits = limits
  }

  /** Groups that are remembered. */
  get size(): number {
    return this.#groups.size
  }

  /** Tasks of a group that wait. */
  waiting(group: string): number {
    return this.#groups.get(group)?.waiting ?? 0
  }

  /** Foreground groups that are active here, at most `most`. */
  active(now: number, most: number): string[] {
    const isActive = (group: Group<Task>) => !isIdle(group) || now - group.activeAt < ACTIVE_MS
    const groups = [...this.#groups.values()].filter(
      (group) => !this.#limits.isBackground(group.key) && isActive(group),
    )
    return groups.slice(0, most).map(({ key }) => key)
  }

  /** Notes which groups are active on another server. */
  hear(server: string, groups: string[], now: number): void {
    if (groups.length === 0) this.#elsewhere.delete(server)
    else this.#elsewhere.set(server, { groups: new Set(groups), at: now })
  }

  /** Queues a task. `now`: milliseconds, here and below. */
  add({ group: key, member: memberKey }: Party, task: Task, now: number): void {
    const group = this.#group(key, now)
    this.#touch(group, now)
    if (isIdle(group)) this.#wake(group)
    const member = this.#member(group, memberKey)
    if (member.running === 0 && member.waiting.length === 0) member.tag = Math.max(member.tag, group.time)
    member.waiting.push(task)
    group.waiting++
    this.#ready.add(group)
  }

  /** Grants a start; null when none may start now. */
  next(now: number): Turn<Task> | null {
    if (this.#running >= this.#limits.places) return null
    const group = least([...this.#ready].filter((each) => this.#mayStart(each, now)))
    const member = group && this.#nextMember(group, now)
    const task = member?.waiting.shift()
    if (!group || !member || task === undefined) return null
    const estimate = group.meanCost
    this.#time = Math.max(this.#time, group.tag)
    group.time = Math.max(group.time, member.tag)
    group.waiting--
    if (group.waiting === 0) this.#ready.delete(group)
    this.#charge(group, member, estimate, 1)
    if (++this.#starts % TIDY_EVERY === 0) this.#tidy(now)
    return { task, party: { group: group.key, member: member.key }, estimate }
  }

  /** Counts work that starts without waiting, regardless of the limits. */
  force({ group: key, member: memberKey }: Party, task: Task, now: number): Turn<Task> {
    const group = this.#group(key, now)
    this.#touch(group, now)
    if (isIdle(group)) this.#wake(group)
    const estimate = group.meanCost
    this.#charge(group, this.#member(group, memberKey), estimate, 1)
    return { task, party: { group: key, member: memberKey }, estimate }
  }

  /** Work has ended after `cost` milliseconds. */
  end({ party, estimate }: Turn<Task>, cost: number, now: number): void {
    const group = this.#group(party.group, now)
    this.#touch(group, now)
    this.#spend(group, cost, now)
    this.#charge(group, this.#member(group, party.member), cost - estimate, -1)
    group.meanCost += (cost < group.meanCost ? LATEST.below : LATEST.above) * (cost - group.meanCost)
    if (isIdle(group) && !this.#limits.isBackground(group.key)) this.#busy--
  }

  /**
   * Whether work of a group that has run for `elapsed` milliseconds should make room: others are active, and it has had its share. Where that is for
   * its budget, the group counts as cut short until the budget is there again.
   */
  shouldYield({ group: key }: Party, elapsed: number, now: number): boolean {
    const group = this.#groups.get(key)
    if (!group || !this.#isContended(group, now)) return false
    if (this.#running >= this.#limits.places && this.#ready.size > (this.#ready.has(group) ? 1 : 0)) return true
    if (!this.#limits.budget || Math.max(elapsed, outstanding(group)) <= this.#limits.budget.outstanding) return false
    this.#refill(group, now)
    const isOver = group.credit - elapsed <= 0
    if (isOver) group.isCut = true
    return isOver
  }

  /** Charges work that goes on with `cost` milliseconds of what it has taken so far; `end` is handed only the rest. */
  pay({ party }: Turn<Task>, cost: number, now: number): void {
    const group = this.#group(party.group, now)
    this.#touch(group, now)
    this.#charge(group, this.#member(group, party.member), cost, 0)
    group.isCut = true
    this.#spend(group, cost, now)
  }

  /** When to look again whether work that was asked to make room, and has paid, may go on; null: it may now. */
  resumeAt({ group: key }: Party, now: number): number | null {
    const group = this.#groups.get(key)
    return !group || this.#hasCredit(group, now) ? null : this.#creditAt(group, now)
  }

  /** When to look again whether a group that waits only for its budget may start; null when none does. */
  retryAt(now: number): number | null {
    if (!this.#limits.budget || this.#running >= this.#limits.places) return null
    let soonest: number | null = null
    for (const group of this.#ready) {
      if (!this.#hasPlace(group, now) || this.#hasCredit(group, now)) continue
      soonest = Math.min(soonest ?? Infinity, this.#creditAt(group, now))
    }
    return soonest
  }

  #mayStart(group: Group<Task>, now: number): boolean {
    return this.#hasPlace(group, now) && this.#hasCredit(group, now) && this.#nextMember(group, now) !== undefined
  }

  #hasPlace(group: Group<Task>, now: number): boolean {
    return group.running < this.#most(group, now)
  }

  #hasCredit(group: Group<Task>, now: number): boolean {
    if (!this.#limits.budget || this.#limits.isBackground(group.key) || !this.#isContended(group, now)) return true
    if (!this.#isHeld(group)) return true
    this.#refill(group, now)
    if (group.isSpent && group.credit < this.#resumeCredit()) return false
    group.isSpent = false
    if (group.credit > 0) group.isCut = false
    return group.credit > 0
  }

  /** When to look again whether a group without credit has some. */
  #creditAt(group: Group<Task>, now: number): number {
    const missing = this.#resumeCredit() - group.credit
    return now + Math.min(LOOK_EVERY_MS, Math.max(1, (missing * 1_000) / this.#perSecond(group, now)))
  }

  /** Whether a group is held to its budget. */
  #isHeld(group: Group<Task>): boolean {
    return group.isCut || outstanding(group) > (this.#limits.budget?.outstanding ?? Infinity)
  }

  /** A group that is not held to its budget may use it up, but owes nothing afterwards. */
  #spend(group: Group<Task>, cost: number, now: number): void {
    this.#refill(group, now)
    const isHeld = this.#isHeld(group)
    group.credit = Math.max(group.credit - cost, isHeld ? -DEBT_BURSTS * (this.#limits.budget?.burst ?? 0) : 0)
    if (isHeld && group.credit <= 0) group.isSpent = true
  }

  #resumeCredit(): number {
    return RESUME_SHARE * (this.#limits.budget?.burst ?? 0)
  }

  /** The last place of a group is kept from a member as long as others of the group are active. */
  #nextMember(group: Group<Task>, now: number): Member<Task> | undefined {
    const most = this.#most(group, now)
    const others = [...group.members.values()].filter(({ running, waiting }) => running > 0 || waiting.length > 0)
    const mostOfMember = others.length > 1 ? Math.max(1, most - 1) : most
    return least(others.filter(({ running, waiting }) => waiting.length > 0 && running < mostOfMember))
  }

  #isContended(group: Group<Task>, now: number): boolean {
    const isCounted = !this.#limits.isBackground(group.key) && !isIdle(group)
    if (this.#busy > (isCounted ? 1 : 0)) return true
    if (this.#latest.some(({ key, at }) => key !== group.key && now - at < ACTIVE_MS)) return true
    return this.#heard(now).some((groups) => groups.size > (groups.has(group.key) ? 1 : 0))
  }

  /** Places that a group may hold here, of those it may hold on all servers. */
  #most(group: Group<Task>, now: number): number {
    const isContended = this.#isContended(group, now)
    const most = this.#limits.most(group.key, isContended)
    return isContended ? Math.ceil(most / this.#servers(group, now)) : most
  }

  /** Servers that a group is active on, this one included. */
  #servers(group: Group<Task>, now: number): number {
    return 1 + this.#heard(now).filter((groups) => groups.has(group.key)).length
  }

  #heard(now: number): ReadonlySet<string>[] {
    const heard: ReadonlySet<string>[] = []
    for (const [server, { groups, at }] of this.#elsewhere) {
      if (now - at < HEARD_MS) heard.push(groups)
      else this.#elsewhere.delete(server)
    }
    return heard
  }

  #perSecond(group: Group<Task>, now: number): number {
    return (this.#limits.budget?.perSecond ?? 0) / this.#servers(group, now)
  }

  #charge(group: Group<Task>, member: Member<Task>, cost: number, starts: 1 | 0 | -1): void {
    group.tag += cost
    member.tag += cost
    group.running += starts
    member.running += starts
    this.#running += starts
    if (member.running === 0 && member.waiting.length === 0 && member.tag <= group.time)
      group.members.delete(member.key)
  }

  #group(key: string, now: number): Group<Task> {
    let group = this.#groups.get(key)
    if (!group) {
      const credit = this.#limits.budget?.burst ?? 0
      const members = new Map<string, Member<Task>>()
      const idle = {
        running: 0,
        waiting: 0,
        members,
        time: 0,
        meanCost: FIRST_ESTIMATE_MS,
        credit,
        creditAt: now,
        activeAt: now,
        isSpent: false,
        isCut: false,
      }
      group = { key, tag: this.#time, ...idle }
      this.#groups.set(key, group)
    }
    return group
  }

  #member(group: Group<Task>, key: string): Member<Task> {
    let member = group.members.get(key)
    if (!member) {
      member = { key, tag: group.time, running: 0, waiting: [] }
      group.members.set(key, member)
    }
    return member
  }

  #wake(group: Group<Task>): void {
    group.tag = Math.max(group.tag, this.#time)
    if (!this.#limits.isBackground(group.key)) this.#busy++
  }

  #touch(group: Group<Task>, at: number): void {
    group.activeAt = at
    if (this.#limits.isBackground(group.key)) return
    const [first] = this.#latest
    if (first?.key === group.key) first.at = at
    else this.#latest = [{ key: group.key, at }, ...this.#latest.filter(({ key }) => key !== group.key)].slice(0, 2)
  }

  #refill(group: Group<Task>, now: number): void {
    const { budget } = this.#limits
    if (!budget) return
    group.credit = Math.min(budget.burst, group.credit + ((now - group.creditAt) * this.#perSecond(group, now)) / 1_000)
    group.creditAt = now
  }

  /** Forgets groups that wait for nothing and owe nothing, and members likewise. */
  #tidy(now: number): void {
    for (const group of this.#groups.values()) {
      for (const [key, member] of group.members)
        if (member.running === 0 && member.waiting.length === 0 && member.tag <= group.time) group.members.delete(key)
      const owes = group.tag > this.#time || group.credit < 0
      if (isIdle(group) && !owes && now - group.activeAt >= ACTIVE_MS) this.#groups.delete(group.key)
    }
  }
}

function isIdle({ running, waiting }: { running: number; waiting: number }): boolean {
  return running === 0 && waiting === 0
}

/** Milliseconds that the work of a group takes which waits or runs, by its average. */
function outstanding({ running, waiting, meanCost }: Pick<Group<unknown>, 'running' | 'waiting' | 'meanCost'>): number {
  return (running + waiting) * meanCost
}

/** The one with the smallest tag; the first of equals. */
function least<Tagged extends { tag: number }>(all: readonly Tagged[]): Tagged | undefined {
  let best: Tagged | undefined
  for (const each of all) if (!best || each.tag < best.tag) best = each
  return best
}
