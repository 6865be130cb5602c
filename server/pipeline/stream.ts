// Shows an answer in the test chat while it is being written: in batches, never one write for each token.
import { writeStream } from './finish.store.ts'
import type { PipelineContext } from './pipeline-context.ts'
import type { Turn } from './turn.store.ts'

/** Time between two writes of one answer. */
const BATCH_MS = 150

export interface AnswerStream {
  onText(delta: string): void
  /** What was shown so far is taken back: another answer begins. */
  restart(): void
  /** Waits for the write that is under way; nothing is written after it. */
  close(): Promise<void>
}

/** A stream into the turn's message. The first piece shows at once. */
export function streamAnswer(ctx: PipelineContext, turn: Turn): AnswerStream {
  let text = ''
  let written = 0
  let isClosed = false
  let writing: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  const write = async () => {
    written = text.length
    await ctx.organization(turn.organizationId, (store) => writeStream(store, turn, text))
  }
  const flush = () => {
    timer = undefined
    if (isClosed || writing || text.length === written) return
    writing = write()
      // A lost batch is not worth an error: the next one holds all of the text, and so does the end.
      .catch((error: unknown) => ctx.logger.warn({ err: error, turnId: turn.turnId }, 'streaming a batch failed'))
      .finally(() => {
        writing = null
        if (!isClosed) timer = setTimeout(flush, BATCH_MS)
      })
  }
  return {
    onText(delta) {
      text += delta
      if (!timer && !writing) flush()
    },
    restart() {
      if (text === '') return
      text = ''
      written = -1
      if (!timer && !writing) flush()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await writing
    },
  }
}
