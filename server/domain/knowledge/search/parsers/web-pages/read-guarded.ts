// Reads one page of the web in a guarded process of its own. The page comes with the order: there is no file.
import { fileURLToPath } from 'node:url'
import { PARSE_LIMITS } from '../limits.ts'
import { runGuarded } from '../process/guarded-process.ts'
import type { WebPage } from './web-page.ts'
import type { WebPageOrder } from './web-page-process.ts'

const ENTRY = fileURLToPath(new URL('./web-page-process.ts', import.meta.url))
/** Pages are far smaller than files: what takes longer is no honest page. */
const LIMITS = { ...PARSE_LIMITS, cpuMs: 10_000, wallMs: 60_000, characters: 1_000_000 }

/**
 * What a reader sees of the page that was found at `url`.
 * @throws ParseFailure with the reason; the signal's reason when aborted: the process is dead then
 */
export function readWebPageGuarded(bytes: Uint8Array, url: string, signal: AbortSignal): Promise<WebPage> {
  const order: WebPageOrder = { bytes, url, characters: LIMITS.characters }
  return runGuarded({ entry: ENTRY, path: ENTRY, order, signal, limits: LIMITS })
}
