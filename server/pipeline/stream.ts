// Shows an answer while it is being written, in the test chat and where a channel can: in batches, never one write for each token.
import { writeDraft, writeStream } from './finish.store.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { sendingChannel } from './test-chat.rules.ts'
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

/**
 * Whether a customer may read along. An answer that is looked at before it goes out may not be seen before, and one that is to be typed
 * as a person types it is not written at a machine's speed.
 */
export function isReadAlong(ctx: PipelineContext, turn: Turn): boolean {
  const { guards, unfounded, replies } = turn.agent.settings
  const channel = sendingChannel(turn)
  if (channel === null || !ctx.services.channels[channel].showsDrafts || turn.kind !== 'reply') return false
  return guards.answers.phrases.length === 0 && unfounded.action === 'allow' && replies.pace === 'instant'
}

/** A stream into the turn's message, for a customer into the turn itself. The first piece shows at once. */
export function streamAnswer(ctx: PipelineContext, turn: Turn): AnswerStream {
  let text = ''
  let written = 0
  let isClosed = false
  let writing: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  const write = async () => {
    written = text.length
    const isTest = turn.conversation.channel === 'test'
    await ctx.organization(turn.organizationId, (store) => (isTest ? writeStream : writeDraft)(store, turn, text))
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
