// The only link to the server's types: every public function by name, fully typed, without any server code in the bundle.
import { anyApi } from 'convex/server'
import type { Api } from '#server/api.ts'

/** `api.agents.list` is the reference to `agents:list`. */
export const api = anyApi as unknown as Api
