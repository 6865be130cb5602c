// Proves the audit trail: every entry has the hash of its own values and of the entry before, and every chain ends where its head says.
// Computed here and not in the database, whose functions could have been changed together with the rows.
import { createHash } from 'node:crypto'
import type { StoreContext } from '#server/platform/db/database.ts'
import { type Chain, type ChainedEntry, listChains, listEntries } from './chains.store.ts'

/** An entry, or a chain as a whole, that is not as it was written. `position`: null where entries are missing at the end. */
export type Flaw = { chain: string; position: number | null; what: 'changed' | 'missing' }
export type Proof = { chains: number; entries: number; flaws: Flaw[]; heads: Chain[] }

/** Entries that are read at once. */
const PAGE = 1000

/** Reads all chains from their beginnings. One flaw a chain is named: what comes after it hangs in the air. */
export async function proveChains(ctx: StoreContext): Promise<Proof> {
  const heads = await listChains(ctx)
  const proof: Proof = { chains: heads.length, entries: 0, flaws: [], heads }
  for (const head of heads) {
    const { entries, flaw } = await proveChain(ctx, head)
    proof.entries += entries
    if (flaw) proof.flaws.push(flaw)
  }
  return proof
}

async function proveChain(
  ctx: StoreContext,
  { chain, length, hash }: Chain,
): Promise<{ entries: number; flaw?: Flaw }> {
  let [position, previous] = [0, '']
  for (;;) {
    const page = await listEntries(ctx, chain, position, PAGE)
    for (const entry of page) {
      if (entry.position !== position + 1)
        return { entries: position, flaw: { chain, position: position + 1, what: 'missing' } }
      if (entry.previous_hash !== previous || entry.hash !== hashOf(entry))
        return { entries: position, flaw: { chain, position: entry.position, what: 'changed' } }
      position = entry.position
      previous = entry.hash
    }
    if (page.length < PAGE) break
  }
  const isWhole = position === length && previous === hash
  return { entries: position, ...(!isWhole && { flaw: { chain, position: null, what: 'missing' as const } }) }
}

/** As the trigger `chain_audit_entry` computes it. */
function hashOf(entry: ChainedEntry): string {
  const values = [
    ...[entry.previous_hash, entry.chain, String(entry.position), entry.id, entry.at.toISOString()],
    ...[entry.organization_id, entry.actor_id, entry.actor_name, entry.actor_email, entry.reason],
    ...[entry.action, entry.resource, entry.resource_name, entry.before, entry.after, entry.address],
  ]
  return createHash('sha256').update(values.map(asText).join('')).digest('hex')
}

function asText(value: string | null): string {
  return value === null ? '-' : `${Buffer.byteLength(value)}:${value}`
}
