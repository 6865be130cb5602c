// Accounts for memory held for clients: a socket, an account and an address each have a budget, and everything held for longer than a
// synchronous step is charged to all of them, or refused.
import { convexToJson, type JSONValue } from 'convex/values'
import { AppError } from '#shared/errors.ts'
import type { Outcome } from './host.ts'

/** What one thing takes up. `items`: how many live queries, or requests, it is. */
export type Cost = { bytes: number; items: number }
/** One who pays. Equal keys share a budget. */
export type Payer = { key: string; allowed: Cost }

type Account = { key: string; kept: Cost }

/** What all payers have here. One that has nothing takes up nothing. */
export class Ledger {
  readonly #accounts = new Map<string, Account>()

  /** Charges each of the payers, until released. @throws AppError when one of them has no room for it */
  charge(payers: readonly Payer[], cost: Cost): Charge {
    for (const payer of payers) this.#assertRoom(payer, cost)
    return new Charge(this, payers, cost)
  }

  /** Whether the payers have room for it, besides what they have. */
  hasRoom(payers: readonly Payer[], { bytes, items }: Cost): boolean {
    return payers.every(({ key, allowed }) => {
      const kept = this.kept(key)
      return kept.bytes + bytes <= allowed.bytes && kept.items + items <= allowed.items
    })
  }

  /** What one payer is charged at the moment. */
  kept(key: string): Cost {
    return this.#accounts.get(key)?.kept ?? { bytes: 0, items: 0 }
  }

  /** What all payers of a kind are charged, by the prefix of their keys. */
  total(kind: string): Cost {
    const total = { bytes: 0, items: 0 }
    for (const { key, kept } of this.#accounts.values()) {
      if (!key.startsWith(kind)) continue
      total.bytes += kept.bytes
      total.items += kept.items
    }
    return total
  }

  /** For charges alone: counts without asking. */
  count({ key }: Payer, { bytes, items }: Cost, sign: 1 | -1): void {
    let account = this.#accounts.get(key)
    if (!account) {
      account = { key, kept: { bytes: 0, items: 0 } }
      this.#accounts.set(key, account)
    }
    account.kept.bytes += sign * bytes
    account.kept.items += sign * items
    if (account.kept.bytes === 0 && account.kept.items === 0) this.#accounts.delete(key)
  }

  #assertRoom({ key, allowed }: Payer, { bytes, items }: Cost): void {
    const kept = this.kept(key)
    if (kept.bytes + bytes > allowed.bytes) throw new AppError('arguments_too_large', { maxBytes: allowed.bytes })
    if (kept.items + items > allowed.items) throw new AppError('too_many_queries', { max: allowed.items })
  }
}

/** Something that is kept. */
export class Charge {
  readonly #ledger: Ledger
  #payers: readonly Payer[]
  #cost: Cost
  #isReleased = false

  constructor(ledger: Ledger, payers: readonly Payer[], cost: Cost) {
    this.#ledger = ledger
    this.#payers = payers
    this.#cost = cost
    this.#count(1)
  }

  /** Changes the size of a charge. False, with nothing changed, when a payer has no room for it. */
  resize(bytes: number): boolean {
    if (this.#isReleased) return true
    const more = { bytes: bytes - this.#cost.bytes, items: 0 }
    if (more.bytes > 0 && !this.#ledger.hasRoom(this.#payers, more)) return false
    this.#count(-1)
    this.#cost = { ...this.#cost, bytes }
    this.#count(1)
    return true
  }

  /** Others pay from now on, whether they have room for it or not: it is there already. */
  moveTo(payers: readonly Payer[]): void {
    this.#count(-1)
    this.#payers = payers
    this.#count(1)
  }

  /** It is not kept any more. Doing so again does nothing. */
  release(): void {
    this.#isReleased = true
    this.#count(-1)
    this.#cost = { bytes: 0, items: 0 }
  }

  #count(sign: 1 | -1): void {
    for (const payer of this.#payers) this.#ledger.count(payer, this.#cost, sign)
  }
}

/** What each list entry, object and text takes up besides its content, roughly: bytes. */
const VALUE_BYTES = 24

/** How much a value of JSON takes up in memory, roughly: bytes. */
export function weightOf(value: JSONValue | undefined): number {
  if (typeof value === 'string') return VALUE_BYTES + Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return VALUE_BYTES
  let weight = VALUE_BYTES
  if (Array.isArray(value)) for (const item of value) weight += weightOf(item)
  else for (const [key, item] of Object.entries(value)) weight += VALUE_BYTES + key.length + weightOf(item)
  return weight
}

/** What a client is answered instead of a result. */
export function refusalOf({ message, data }: AppError): Outcome & { ok: false } {
  return { ok: false, message, data: convexToJson(data) }
}
