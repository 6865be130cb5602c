// The steps of connection tests.

import type { OrgActionContext } from '#server/functions/context.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Probe } from '#server/integrations/channels/contract/capabilities.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import type { ConnectionCheck } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { wasReceived } from './health.store.ts'

const POST_TIMEOUT_MS = 10_000
/** Numbers of probes are below this. */
export const NONCE_MAX = 2 ** 47

/** The problem that a check reports; null: none, undefined: nothing to check. */
export type Finding = string | null | undefined

/** A check with its result and duration. */
export async function timed(check: ConnectionCheck['check'], look: () => Promise<Finding>): Promise<ConnectionCheck> {
  const startedAt = performance.now()
  const found = await look().catch((error: unknown) => {
    if (error instanceof AdapterError) return `${error.kind}: ${error.message}`
    throw error
  })
  const ms = Math.round(performance.now() - startedAt)
  if (found === undefined) return { check, outcome: 'skipped', reason: null, ms }
  return { check, outcome: found === null ? 'passed' : 'failed', reason: found, ms }
}

type Posted = {
  id: Id<'channelConnections'>
  address: string
  probe: Probe
  adapter: Pick<ChannelAdapter, 'parse'>
  credentials: Credentials
}

/** Posts a probe, which has no content, to our own public address, and checks whether it was stored. */
export async function postProbe(
  ctx: OrgActionContext,
  { id, address, probe, adapter, credentials }: Posted,
): Promise<Finding> {
  const headers = { 'content-type': 'application/json', ...probe.headers }
  const signal = AbortSignal.timeout(POST_TIMEOUT_MS)
  const answer = await ctx.services.selfClient
    .post(address, { headers, body: JSON.stringify(probe.body), signal })
    .catch((error: unknown) => (error instanceof Error ? error.message : 'no answer'))
  if (typeof answer === 'string') return answer
  if (answer.status !== 200) return `answered ${answer.status}`
  const { externalKey } = adapter.parse(probe.body, credentials)
  return (await ctx.read((org) => wasReceived(org, id, externalKey))) ? null : 'it was not stored'
}
