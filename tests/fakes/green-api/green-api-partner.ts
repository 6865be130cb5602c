// What the fake GREEN-API answers a partner. Refusals come with the status 200, as the real ones do.
// @source green-api.com/en/docs/partners
import type { GreenApiState } from './green-api.ts'

type PartnerCall = { verb: string; method: string; token: string; body: unknown }

/** Instances are made without a phone, and with all notifications off. */
export function partnerAnswer(state: GreenApiState, { verb, method, token, body }: PartnerCall): unknown {
  if (state.partnerToken === null || token !== state.partnerToken) return { code: 401, description: 'Unauthorized' }
  const given = (body ?? {}) as Record<string, unknown>
  switch (`${verb} ${method}`) {
    case 'POST createInstance': {
      if (given.typeInstance !== 'whatsapp') return { code: 400, description: 'Validation failed' }
      const { idInstance, apiToken } = state.addInstance({ name: String(given.name ?? ''), state: 'notAuthorized' })
      return { idInstance: Number(idInstance), apiTokenInstance: apiToken, typeInstance: 'whatsapp' }
    }
    case 'GET getInstances':
      return [...state.instances.values()].map(({ idInstance, apiToken, name }) => ({
        idInstance: Number(idInstance),
        name,
        typeInstance: 'whatsapp',
        apiTokenInstance: apiToken,
        deleted: false,
        isExpired: false,
      }))
    case 'POST deleteInstanceAccount': {
      const id = String(given.idInstance)
      if (typeof given.idInstance !== 'number' || !state.instances.has(id))
        return { code: 404, description: 'Not found' }
      state.removeInstance(id)
      return { deleteInstanceAccount: true }
    }
    default:
      return { code: 404, description: 'Not found' }
  }
}
