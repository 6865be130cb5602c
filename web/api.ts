// The only link to the server's types: every public function by name, fully typed, without any server code in the bundle.
import { anyApi } from 'convex/server'

// biome-ignore lint/suspicious/noExplicitAny: loosely typed until server/api.ts exports its type
type Loose = Record<string, any>

/** `api.agents.list` is the reference to `agents:list`. */
export const api = anyApi as unknown as Loose
