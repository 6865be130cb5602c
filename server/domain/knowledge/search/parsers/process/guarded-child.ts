// The side of the child: receives one order, answers with progress and one result, and ends. Started only by guarded-process.ts.

import { ParseFailure } from '../parse-failure.ts'
import { closeNetwork } from './closed-network.ts'

export type ChildMessage<Result> =
  | { kind: 'progress'; share: number }
  | { kind: 'done'; result: Result }
  | ({ kind: 'refused' } & Pick<ParseFailure, 'reason' | 'at' | 'choices'>)
  | { kind: 'crashed'; message: string }

/** Between two reports of progress, milliseconds. */
const REPORT_EVERY_MS = 200

/** Makes this process the child: carries out the one order that it is sent. */
export function answerOneOrder<Order, Result>(
  run: (order: Order, onProgress: (share: number) => void) => Promise<Result>,
): void {
  closeNetwork() // no parser has a reason to connect anywhere
  process.on('disconnect', () => process.exit(1))
  process.once('message', (order: Order) => void carryOut(() => run(order, reporter())))
}

async function carryOut<Result>(run: () => Promise<Result>): Promise<void> {
  try {
    finish({ kind: 'done', result: await run() })
  } catch (error) {
    if (error instanceof ParseFailure)
      finish({ kind: 'refused', reason: error.reason, at: error.at, choices: error.choices })
    else finish({ kind: 'crashed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

function reporter(): (share: number) => void {
  let reportedAt = 0
  return (share) => {
    if (Date.now() - reportedAt < REPORT_EVERY_MS) return
    reportedAt = Date.now()
    process.send?.({ kind: 'progress', share } satisfies ChildMessage<never>)
  }
}

function finish<Result>(message: ChildMessage<Result>): void {
  process.send?.(message, () => process.exit(0))
}
