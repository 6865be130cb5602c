// Shows an answer while it is being written, in the test chat, where a channel can, and to whoever of the team has the conversation open:
// in batches, never one write for each token, and none where nobody reads along.
import type { DraftReaders } from '#server/domain/messaging/team/drafts.store.ts'
import { writeStream } from '../conversations/writes/answers.store.ts'
import { sendingChannel } from '../playground/test-chat.rules.ts'
import { writeDraft } from './finish.store.ts'
import type { PipelineContext } from './pipeline-context.ts'
import type { Turn } from './turn.ts'

/** Time between two writes of one answer … */
const BATCH_MS = 150
/** … and where only the team reads along, for whom much else is read anew with it. */
const TEAM_BATCH_MS = 300

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
function isReadAlong(ctx: PipelineContext, turn: Turn): boolean {
  const { guards, unfounded, replies } = turn.agent.settings
  const channel = sendingChannel(turn)
  if (channel === null || !ctx.services.channels[channel].showsDrafts || turn.kind !== 'reply') return false
  return guards.answers.phrases.length === 0 && unfounded.action === 'allow' && replies.pace === 'instant'
}

/**
 * A stream into the turn's message in the test chat, else into the turn itself. The first piece shows at once.
 * @param isLookedAt whether somebody of the team reads along; what customers read along is written either way
 */
export function streamAnswer(ctx: PipelineContext, turn: Turn, isLookedAt: () => boolean): AnswerStream {
  const isTest = turn.conversation.channel === 'test'
  const readers: DraftReaders = isTest || isReadAlong(ctx, turn) ? 'everybody' : 'team'
  const batchMs = readers === 'team' ? TEAM_BATCH_MS : BATCH_MS
  let text = ''
  let written = 0
  let isClosed = false
  let writing: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  const write = async () => {
    written = text.length
    await ctx.organization(
      turn.organizationId,
      (store) => (isTest ? writeStream(store, turn, text) : writeDraft(store, turn, text, readers)),
      { skipsDispatch: () => true },
    )
  }
  const flush = () => {
    timer = undefined
    if (isClosed || writing || text.length === written) return
    if (readers === 'team' && !isLookedAt()) {
      timer = setTimeout(flush, batchMs) // somebody may come
      return
    }
    writing = write()
      // A lost batch is not worth an error: the next one holds all of the text, and so does the end.
      .catch((error: unknown) => ctx.logger.warn({ err: error, turnId: turn.turnId }, 'streaming a batch failed'))
      .finally(() => {
        writing = null
        if (!isClosed) timer = setTimeout(flush, batchMs)
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
