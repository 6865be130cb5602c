// The organization that this tab works in. It is kept for the tab, so that two tabs work in two organizations at once; a new tab begins in
// that of the tab which was used last. `?organization=` in an address, as in the links of alerts, brings the tab into another one.
import { paths } from '#web/lib/paths.ts'

/** Name and person are known once the organization has been on the screen. `isOnBehalf`: they are no member, but were let in for a while. */
export type Workplace = { organizationId: string; name: string | null; userId: string | null; isOnBehalf?: boolean }

const PARAM = 'organization'
const TAB_KEY = 'parley-workplace'
const LAST_KEY = 'parley-workplace-last'
const LOST_KEY = 'parley-workplace-lost'
/** What the sign-in service takes for the organization that the session works in. */
const CURRENT = 'current'

let ofTab: Workplace | null | undefined
/** Those that were refused since the page was opened: they are not asked for again. */
const refused = new Set<string>()

/** The organization of this tab; null: none is chosen yet. */
export function workplace(): Workplace | null {
  ofTab ??= read(tabStorage, TAB_KEY)
  return ofTab
}

/** Takes the organization that the address names out of the address and into this tab. Before the router reads it. */
export function takeAskedOrganization(): void {
  const url = new URL(window.location.href)
  const asked = url.searchParams.get(PARAM)
  if (asked === null) return
  url.searchParams.delete(PARAM)
  window.history.replaceState(window.history.state, '', url.href)
  if (asked && asked !== workplace()?.organizationId) choose({ organizationId: asked, name: null, userId: null })
}

/** What to ask the sign-in service for: this tab's organization, else that of the tab used last, else the session's. */
export function wantedOrganization(): string {
  const last = read(browserStorage, LAST_KEY)
  const wanted = workplace() ?? last
  return wanted && !refused.has(wanted.organizationId) ? wanted.organizationId : CURRENT
}

/** Notes which organization a token is for. */
export function settleWorkplace(organizationId: string | null): void {
  if (organizationId && organizationId !== workplace()?.organizationId)
    choose({ organizationId, name: null, userId: null })
}

/** Notes that the person does not belong to an organization: the tab leaves it. @returns whether there is another one to ask for */
export function refuseWorkplace(organizationId: string): boolean {
  if (organizationId === CURRENT) return false
  refused.add(organizationId)
  leaveWorkplace(organizationId)
  return true
}

/** Leaves an organization that the person belongs to no more. The next page tells it. */
export function leaveWorkplace(organizationId: string): void {
  const left = workplace()
  if (left?.organizationId === organizationId) {
    write(tabStorage, LOST_KEY, left)
    choose(null)
  }
  if (read(browserStorage, LAST_KEY)?.organizationId === organizationId) write(browserStorage, LAST_KEY, null)
}

/** What was left and has not been shown yet; null: nothing, or by another person. It is shown once. */
export function takeLostWorkplace(userId: string): Workplace | null {
  const lost = read(tabStorage, LOST_KEY)
  write(tabStorage, LOST_KEY, null)
  return lost && (lost.userId === null || lost.userId === userId) ? lost : null
}

/** Notes what is on the screen: new tabs begin there as well, unless this tab alone was let in. */
export function noteWorkplace(shown: Workplace): void {
  choose(shown)
  if (!shown.isOnBehalf) write(browserStorage, LAST_KEY, shown)
}

/** Forgets everything, at sign-out. */
export function forgetWorkplace(): void {
  choose(null)
  refused.clear()
  write(tabStorage, LOST_KEY, null)
  write(browserStorage, LAST_KEY, null)
}

/**
 * Goes to the home page of an organization. The page is loaded again, so that nothing of the other one remains: no query, cache, upload or
 * socket; what is unsaved is asked about first, as when the tab is closed.
 */
export function enterOrganization(organizationId: string, path: string = paths.home): void {
  const url = new URL(path, window.location.origin)
  url.searchParams.set(PARAM, organizationId)
  window.location.assign(url.href)
}

/** A page that the browser brings back from its memory belongs to the organization of that time: it is loaded again. */
export function watchReturns(): () => void {
  const onShow = ({ persisted }: PageTransitionEvent) => {
    const kept = read(tabStorage, TAB_KEY)
    if (persisted && kept?.organizationId !== ofTab?.organizationId) window.location.reload()
  }
  window.addEventListener('pageshow', onShow)
  return () => window.removeEventListener('pageshow', onShow)
}

function choose(next: Workplace | null): void {
  ofTab = next
  write(tabStorage, TAB_KEY, next)
}

const tabStorage = (): Storage => sessionStorage
const browserStorage = (): Storage => localStorage

function read(storage: () => Storage, key: string): Workplace | null {
  try {
    const kept = JSON.parse(storage().getItem(key) ?? 'null') as Partial<Workplace> | null
    const { organizationId, name = null, userId = null, isOnBehalf = false } = kept ?? {}
    if (typeof organizationId !== 'string') return null
    return { organizationId, name, userId, ...(isOnBehalf && { isOnBehalf }) }
  } catch {
    return null
  }
}

/** Where nothing may be kept, the choice lasts as long as the page. */
function write(storage: () => Storage, key: string, value: Workplace | null): void {
  try {
    if (value) storage().setItem(key, JSON.stringify(value))
    else storage().removeItem(key)
  } catch {
    // Storage is forbidden or full.
  }
}
