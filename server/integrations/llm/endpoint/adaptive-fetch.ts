// `fetch` for endpoints that refuse parameters: asks again without what was refused, and remembers it for that model and endpoint.
import { applyChanges, changeFor, mayBeRefusal, type ParameterChange } from './refused-parameters.rules.ts'

type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>

/** Models with what their endpoints refuse; the ones longest unused are forgotten. */
export interface ParameterMemory {
  get(key: string): ParameterChange[]
  set(key: string, changes: ParameterChange[]): void
}

/** Header of a response that names what was changed in its request. It is never sent anywhere. */
const CHANGES_HEADER = 'x-parley-changes'
const MEMORY_MAX = 500
/** Changes to one request: an endpoint that refuses more speaks another protocol. */
const CHANGES_MAX = 8
/** Statuses by which gateways refuse a request for what stands in it. */
const REFUSALS = new Set([400, 404, 405, 422, 500, 501])

/** A memory that is empty. */
export function createParameterMemory(max = MEMORY_MAX): ParameterMemory {
  const known = new Map<string, ParameterChange[]>()
  return {
    get(key) {
      const changes = known.get(key)
      if (!changes) return []
      known.delete(key)
      known.set(key, changes)
      return changes
    },
    set(key, changes) {
      known.delete(key)
      known.set(key, changes)
      const oldest = known.keys().next()
      if (known.size > max && !oldest.done) known.delete(oldest.value)
    },
  }
}

/** `send`, made to ask again when a parameter is refused. Bodies other than JSON texts pass through. */
export function adaptiveFetch(send: Fetch, memory: ParameterMemory): Fetch {
  return async (input, init = {}) => {
    const { body } = init
    const model = typeof body === 'string' ? /^\{"model":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1] : undefined
    if (typeof body !== 'string' || model === undefined || init.method !== 'POST') return clean(await send(input, init))
    const key = `${String(input)} ${model}`
    let changes = memory.get(key)
    const learned = changes.length
    for (;;) {
      const asked = changes.length > 0 ? applyChanges(JSON.parse(body), changes) : null
      const response = await send(input, asked ? { ...init, body: JSON.stringify(asked) } : init)
      if (!REFUSALS.has(response.status)) {
        if (response.ok && changes.length > learned) memory.set(key, changes)
        return clean(response, changes)
      }
      const refusal = await response.text()
      const isRefusal = changes.length < CHANGES_MAX && mayBeRefusal(response.status, refusal)
      const change = isRefusal ? changeFor(refusal, asked ?? JSON.parse(body), changes) : null
      if (!change) return clean(new Response(refusal, response), changes)
      changes = [...changes, change]
    }
  }
}

/** The changes that a response names. */
export function changesOf(headers: Record<string, string> | undefined): ParameterChange[] {
  const header = headers?.[CHANGES_HEADER]
  return header === undefined ? [] : JSON.parse(header)
}

/** Only we say what was changed. */
function clean(response: Response, changes: ParameterChange[] = []): Response {
  if (changes.length === 0 && !response.headers.has(CHANGES_HEADER)) return response
  const headers = new Headers(response.headers)
  headers.delete(CHANGES_HEADER)
  if (changes.length > 0) headers.set(CHANGES_HEADER, JSON.stringify(changes))
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}
