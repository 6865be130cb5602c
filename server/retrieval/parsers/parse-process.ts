// The child process that parses one file: receives the order, answers with progress and one result, and ends. Started only by parse-file.ts.
import { readFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import type { DocumentErrorReason, DocumentFormat } from '#shared/knowledge.ts'
import type { ParseLimits } from './limits.ts'
import { type ParsedDocument, parse } from './parse.ts'
import { ParseFailure } from './parse-failure.ts'

export type ParseOrder = { path: string; format: DocumentFormat; limits: ParseLimits }
export type ParseMessage =
  | { kind: 'progress'; share: number }
  | { kind: 'parsed'; document: ParsedDocument }
  | { kind: 'refused'; reason: DocumentErrorReason }
  | { kind: 'crashed'; message: string }

/** Between two reports of progress, milliseconds. */
const REPORT_EVERY_MS = 200

closeNetwork()
process.on('disconnect', () => process.exit(1))
process.once('message', (order: ParseOrder) => void run(order))

async function run({ path, format, limits }: ParseOrder): Promise<void> {
  let reportedAt = 0
  const onProgress = (share: number) => {
    if (Date.now() - reportedAt < REPORT_EVERY_MS) return
    reportedAt = Date.now()
    process.send?.({ kind: 'progress', share } satisfies ParseMessage)
  }
  try {
    finish({ kind: 'parsed', document: await parse(await readFile(path), format, limits, onProgress) })
  } catch (error) {
    if (error instanceof ParseFailure) finish({ kind: 'refused', reason: error.reason })
    else finish({ kind: 'crashed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

function finish(message: ParseMessage): void {
  process.send?.(message, () => process.exit(0))
}

/** No parser has a reason to connect anywhere. */
function closeNetwork(): void {
  Socket.prototype.connect = () => {
    throw new Error('A parser may not use the network.')
  }
}
