// Instances that this installation creates and deletes on its operator's account, with a partner token.
// @source green-api.com/en/docs/partners
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { InstancePartner } from '#server/integrations/channels/contract/whatsapp-numbers.ts'
import { createHttpClient, NotConnectedError } from '#server/integrations/http/http-client.ts'

/** The address of the partner API, without a trailing slash, and the partner's token. */
export type PartnerAccess = { url: string; token: string }

const id = z.union([z.number(), z.string()]).transform(String)
const created = z.object({ idInstance: id, apiTokenInstance: z.string() })
const listed = z.array(
  created.extend({
    name: z.string().catch(''),
    deleted: z.boolean().catch(false),
    isExpired: z.boolean().catch(false),
  }),
)
const removed = z.object({ deleteInstanceAccount: z.boolean() })
/** A refusal comes with the status 200. */
const refused = z.object({ code: z.number(), description: z.string().catch('') })

/** A client of the partner API. */
export function createInstancePartner({ url, token }: PartnerAccess, timeoutMs: number): InstancePartner {
  const send = createHttpClient()

  async function ask<T>(verb: 'GET' | 'POST', method: string, schema: z.ZodType<T>, body?: object): Promise<T> {
    let answer: unknown
    try {
      const { status, text } = await send({
        method: verb,
        url: `${url}/partner/${method}/${token}`,
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      if (status === 401 || status === 403) throw new AdapterError('unauthorized', `${status} ${method}`)
      if (status !== 200) throw new AdapterError('unknown_outcome', `${status} ${method}`)
      answer = JSON.parse(text)
    } catch (error) {
      if (error instanceof AdapterError) throw error
      if (error instanceof NotConnectedError) throw new AdapterError('temporary', `not connected: ${error.code}`)
      throw new AdapterError('unknown_outcome', 'no answer from GREEN-API')
    }
    const parsed = schema.safeParse(answer)
    if (parsed.success) return parsed.data
    const refusal = refused.safeParse(answer).data
    if (!refusal) throw new AdapterError('unknown_outcome', 'GREEN-API answered something else')
    const kind = refusal.code === 401 || refusal.code === 403 ? 'unauthorized' : 'permanent'
    throw new AdapterError(kind, `${refusal.code} ${refusal.description}`.trim(), null, refusal.code)
  }

  return {
    async create(name) {
      const made = await ask('POST', 'createInstance', created, { name, typeInstance: 'whatsapp' })
      return { idInstance: made.idInstance, apiToken: made.apiTokenInstance }
    },

    async list(name) {
      const all = await ask('GET', 'getInstances', listed)
      return all
        .filter((each) => each.name === name && !each.deleted && !each.isExpired)
        .map(({ idInstance, apiTokenInstance }) => ({ idInstance, apiToken: apiTokenInstance }))
    },

    async remove(idInstance) {
      const body = { idInstance: Number(idInstance) }
      await ask('POST', 'deleteInstanceAccount', removed, body).catch((error: unknown) => {
        const isGone = error instanceof AdapterError && error.status === 404
        if (!isGone) throw error
      })
    },
  }
}
