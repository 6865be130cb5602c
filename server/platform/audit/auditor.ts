// The audit of one call of a public function: who calls what from where is known already, and a function that is declared as audited
// leaves exactly one entry.
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { type Actor, type AuditDetails, insertAuditEntry } from './audit.store.ts'

/** What a call writes into the audit trail. `organizationId`: whom it concerns; left out: the caller's organization. */
export type CallDetails = AuditDetails & { organizationId?: Id<'organizations'> | null }
/** Writes the entry of a call, in its transaction. */
export type Audit = (details: CallDetails) => Promise<void>

/** A call as the trail shows it. */
export type AuditedCall = {
  name: string
  isAudited: boolean
  actor: Actor
  organizationId: Id<'organizations'> | null
  address: string | null
  /** Why the actor acts on behalf of that organization; null: they act for themselves. */
  onBehalf: string | null
}

/** Counts the entries of one call: those of a transaction that is repeated count once. */
export class Auditor {
  readonly #call: AuditedCall
  #written = 0

  constructor(call: AuditedCall) {
    this.#call = call
  }

  /** Runs one attempt of a transaction. Its entries count when it has ended well. */
  async attempt<T>(
    ctx: StoreContext,
    at: Date,
    run: (audit: Audit) => Promise<T>,
  ): Promise<{ value: T; keep: () => void }> {
    let written = 0
    const value = await run(async (details) => {
      written++
      await this.#write(ctx, at, details)
    })
    const keep = () => {
      this.#written += written
    }
    return { value, keep }
  }

  /** What is done on behalf of an organization leaves an entry also where its own members leave none. */
  async complete(ctx: StoreContext, at: Date): Promise<void> {
    if (this.owesEntry) await this.#write(ctx, at, {})
  }

  get owesEntry(): boolean {
    const { onBehalf, isAudited } = this.#call
    return onBehalf !== null && !isAudited && this.#written === 0
  }

  async #write(ctx: StoreContext, at: Date, { organizationId = this.#call.organizationId, ...details }: CallDetails) {
    const { name, actor, address, onBehalf } = this.#call
    const why = details.reason ?? onBehalf
    const entry = { ...details, ...(why !== null && { reason: why }), organizationId, actor, action: name, address, at }
    await insertAuditEntry(ctx, entry)
  }

  /** @throws Error when the call has left none or several, or is not declared as audited and has left some */
  assertComplete(): void {
    const { name, isAudited } = this.#call
    if (this.#written === Number(isAudited)) return
    throw new Error(`${name} has written ${this.#written} audit entries, and is to write ${Number(isAudited)}.`)
  }
}
