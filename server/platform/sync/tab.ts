// What one client has on the budgets: who pays for it, which changes when it shows who it is.
import type { Charge, Cost, Ledger, Payer } from './budget.ts'
import { KEPT_MAX, PENDING_MAX, UNREAD_MAX } from './limits.ts'

const LIMITS = { kept: KEPT_MAX, pending: PENDING_MAX, unread: UNREAD_MAX }

/**
 * `kept`: for live queries, until they are removed. `pending`: requests, until they are answered. `unread`: what strangers are sent, until
 * they have taken it.
 */
export type Purpose = keyof typeof LIMITS
const PURPOSES = ['kept', 'pending', 'unread'] as const

/** Whose something is. `socket`: null for calls that have none of their own. `userId`: null for a stranger. */
export type Owner = { socket: number | null; address: string; userId: string | null }

/** All who pay for what an owner has, the narrowest first. Strangers of an address have a budget apart from people's there. */
export function payersOf(purpose: Purpose, { socket, address, userId }: Owner): Payer[] {
  const { stranger, account } = { account: null, ...LIMITS[purpose] }
  const payer = (kind: string, id: string, allowed: Cost) => ({ key: `${purpose} ${kind} ${id}`, allowed })
  const own = (allowed: Cost) => (socket === null ? [] : [payer('socket', `${socket}`, allowed)])
  if (userId === null) return [...own(stranger.socket), payer('strangers', address, stranger.address)]
  if (!account) return []
  return [...own(account.socket), payer('account', userId, account.account), payer('address', address, account.address)]
}

/** Something that is charged for. `resize`: false, and nothing changes, when there is no room for it. */
export type Held = { release(): void; resize(bytes: number): boolean }

export class Tab {
  static #sockets = 0
  readonly #ledger: Ledger
  readonly #owner: Owner
  readonly #charges: Record<Purpose, Set<Charge>> = { kept: new Set(), pending: new Set(), unread: new Set() }
  #payers: Record<Purpose, Payer[]>

  constructor(ledger: Ledger, address: string) {
    this.#ledger = ledger
    this.#owner = { socket: ++Tab.#sockets, address, userId: null }
    this.#payers = this.#findPayers()
  }

  /** The client is authenticated from now on, and its account pays. After a sign-out the account still pays for it. */
  identify(userId: string): void {
    if (this.#owner.userId === userId) return
    this.#owner.userId = userId
    this.#payers = this.#findPayers()
    for (const purpose of PURPOSES) for (const charge of this.#charges[purpose]) charge.moveTo(this.#payers[purpose])
  }

  /** Charges the client for one thing, until the result is released. @throws AppError arguments_too_large, too_many_queries */
  charge(purpose: Purpose, bytes: number, items = 1): Held {
    const charges = this.#charges[purpose]
    const charge = this.#ledger.charge(this.#payers[purpose], { bytes, items })
    charges.add(charge)
    return {
      resize: (changed) => charge.resize(changed),
      release: () => {
        charge.release()
        charges.delete(charge)
      },
    }
  }

  #findPayers(): Record<Purpose, Payer[]> {
    const payers = (purpose: Purpose) => payersOf(purpose, this.#owner)
    return { kept: payers('kept'), pending: payers('pending'), unread: payers('unread') }
  }
}
