// Shows an answer while it is generated: in the test chat, in channels that support it, and to team members who have the conversation
// open. Writes in batches, never per token, and not at all without a reader.
import type { DraftReaders } from '#server/domain/messaging/turns/drafts.store.ts'
import { writeStream } from '../conversations/writes/answers.store.ts'
import { writeDraft } from '../turns/finish.store.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { sendingChannel } from '../turns/rehearsal.rules.ts'
import type { Turn } from '../turns/turn.ts'

/** Time between two writes of one answer … */
const BATCH_MS = 150
/** … and when only the team reads along, whose screens reload much else with it. */
const TEAM_BATCH_MS = 300

export interface AnswerStream {
  onText(delta: string): void
  /** Discards the text shown so far: another answer begins. */
  restart(): void
  /** Waits for the write in progress; nothing is written after it. */
  close(): Promise<void>
}

/** Whether a customer may read along. Not when the answer is checked before it is sent, nor when it is paced like a person's typing. */
function isReadAlong(ctx: PipelineContext, turn: Turn): boolean {
  const { guards, unfounded, replies } = turn.agent.settings
  const channel = sendingChannel(turn)
  if (channel === null || !ctx.services.channels[channel].traits.showsDrafts || turn.kind !== 'reply') return false
  return guards.answers.phrases.length === 0 && unfounded.action === 'allow' && replies.pace === 'instant'
}

/**
 * A stream into the turn's message in the test chat, else into the turn itself. The first piece is shown at once.
 * @param isLookedAt whether a member of the team reads along; streams that customers read are written either way
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
      timer = setTimeout(flush, batchMs) // a reader may appear
      return
    }
    writing = write()
      // A lost batch is no error: the next one holds the whole text, and so does the final answer.
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
