// Reads attachments for an answer: unread ones are processed before the model is called, once, and the result is stored. A failure
// becomes a marker, and the customer is answered anyway.
//
//   waiting ─► file from the channel ─► transcript · description · text ─► kept with its cost, in one transaction

import pMap from 'p-map'
import { keyOpener } from '#server/domain/agents/keys.access.ts'
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { type LoadedFile, loadFile } from '#server/domain/messaging/files/attachments.files.ts'
import { finishAttachment } from '#server/domain/messaging/files/attachments.store.ts'
import { readDocument } from '#server/domain/messaging/files/read-document.ts'
import { languageFor } from '#server/integrations/llm/language.ts'
import { MediaFailure } from '#server/integrations/media/failures.ts'
import type { MediaCall, Understood } from '#server/integrations/media/media.ts'
import { sanitizeText } from '#server/platform/lib/text/sanitize-payload.ts'
import { appErrorData } from '#shared/errors.ts'
import { ATTACHMENT_TEXT_MAX, ATTACHMENTS_PER_ANSWER } from '#shared/limits.ts'
import type { AttachmentFailure } from '#shared/messaging/attachments.ts'
import { showTyping } from '../../delivery/typing.ts'
import { type MarkerLanguage, withAttachments } from '../../turns/attachments.rules.ts'
import { withForwards } from '../../turns/forwards.rules.ts'
import type { AbortReason } from '../../turns/outcome.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import { unanswered } from '../../turns/turn.rules.ts'
import type { HistoryMessage, Turn, TurnAttachment } from '../../turns/turn.ts'

/** Time limit for reading all attachments of an answer; the rest is not read for this answer. */
const READING_MS = 20_000
/** Attachments read in parallel, for one answer. */
const READ_AT_ONCE = 3

/** The turn with its history as the model reads it. Reads the attachments of open questions; never throws. */
export async function readAttachments(
  ctx: PipelineContext,
  turn: Turn,
  trace: TraceRecorder,
  signal: AbortSignal,
): Promise<Turn> {
  if (!turn.history.some((message) => message.attachments || message.passedOn)) return turn
  const questions = new Set(unanswered(turn))
  const waiting = [...questions].flatMap(({ attachments }) => attachments ?? []).filter(isWaiting)
  const read = waiting.length > 0 ? await readAll(ctx, turn, waiting, trace, signal) : new Map<string, TurnAttachment>()
  const history = turn.history.map((message): HistoryMessage => {
    const attachments = message.attachments?.map((attachment) => read.get(attachment.id) ?? attachment) ?? null
    return { ...message, attachments }
  })
  const language = languageOfCustomer(turn, history)
  const isQuestion = (message: HistoryMessage) => message.sequence > turn.conversation.answeredThrough
  const described = history.map((message) => withAttachments(message, { isQuestion: isQuestion(message), language }))
  return { ...turn, history: withForwards(described, language) }
}

/** Detected from the customer's own texts and speech; else the language of their messenger. */
function languageOfCustomer({ limits }: Turn, history: HistoryMessage[]): MarkerLanguage {
  const earlier = history
    .filter(({ author, passedOn }) => author === 'customer' && !passedOn)
    .map(({ text, attachments }) => [text, ...(attachments ?? []).filter(isSpoken).map((each) => each.text)].join(' '))
  return languageFor('', { earlier, tag: limits.language })
}

async function readAll(
  ctx: PipelineContext,
  turn: Turn,
  waiting: TurnAttachment[],
  trace: TraceRecorder,
  signal: AbortSignal,
): Promise<Map<string, TurnAttachment>> {
  const typing = showTyping(ctx, turn)
  const deadline = AbortSignal.any([AbortSignal.timeout(READING_MS), stopOf(signal)])
  const read = new Map<string, TurnAttachment>()
  const readNext = async (attachment: TurnAttachment, place: number) => {
    if (isStopping(signal)) return
    const made = await readOne(ctx, turn, attachment, place >= ATTACHMENTS_PER_ANSWER, deadline)
    if (isStopping(signal)) return // not stored: the server that takes the turn over reads it
    trace.media({ kind: attachment.kind, ...made.facts })
    read.set(attachment.id, { ...attachment, ...made.content })
  }
  try {
    await pMap(waiting, readNext, { concurrency: READ_AT_ONCE })
  } finally {
    typing.stop()
  }
  return read
}

type Made = {
  content: Pick<TurnAttachment, 'status' | 'text' | 'reason'>
  facts: { failure: AttachmentFailure | null; call: MediaCall | null; durationMs: number }
}

/** Never throws: a failure is a result too, and is stored. */
async function readOne(
  ctx: PipelineContext,
  turn: Turn,
  attachment: TurnAttachment,
  isTooMany: boolean,
  signal: AbortSignal,
): Promise<Made> {
  const startedAt = Date.now()
  const made = (content: Made['content'], call: MediaCall | null): Made => {
    return { content, facts: { failure: content.reason, call, durationMs: Date.now() - startedAt } }
  }
  try {
    if (isTooMany) throw new MediaFailure('too_much')
    const { text, call } = await understand(ctx, turn, attachment, signal)
    const kept = sanitizeText(text.slice(0, ATTACHMENT_TEXT_MAX))
    await keep(ctx, turn, attachment, { text: kept }, call)
    return made({ status: 'ready', text: kept, reason: null }, call)
  } catch (error) {
    const reason = reasonOf(error)
    ctx.logger.warn({ err: error, turnId: turn.turnId, attachmentId: attachment.id }, 'an attachment was not read')
    if (signal.aborted && reason !== 'timeout') return made({ status: 'waiting', text: null, reason: null }, null)
    await keep(ctx, turn, attachment, { reason }, null).catch((again: unknown) =>
      ctx.logger.error({ err: again, attachmentId: attachment.id }, 'a failure to read was not kept'),
    )
    return made({ status: 'failed', text: null, reason }, null)
  }
}

/** Checks the settings before the download: kinds that are off are neither downloaded nor paid for. */
async function understand(
  ctx: PipelineContext,
  turn: Turn,
  attachment: TurnAttachment,
  signal: AbortSignal,
): Promise<Understood> {
  const { media, files } = ctx.services
  const { voice, images, documents } = turn.agent.settings.multimodal
  const work = { signal, keyOf: keyOpener(ctx.services.secrets, turn.agent.id, turn.agent.keys) }
  const load = () => loadFile(ctx.services, turn.organizationId, attachment.id, signal)
  switch (attachment.kind) {
    case 'voice':
    case 'audio':
    case 'video_note':
      if (!voice.isOn || turn.flags?.voice === false) throw new MediaFailure('off')
      return media.transcribe(recordingOf(attachment, await load()), voice, work)
    case 'image':
      if (!images.isOn) throw new MediaFailure('off')
      return media.describe((await load()).bytes, images, work)
    case 'document': {
      if (!documents.isOn) throw new MediaFailure('off')
      const { fileKey } = await load()
      return readDocument(await files.localPath(fileKey), attachment.name ?? '', signal)
    }
    default:
      throw new MediaFailure('unsupported')
  }
}

function recordingOf({ mimeType, durationSeconds }: TurnAttachment, { bytes }: LoadedFile) {
  return { bytes, mimeType, durationSeconds }
}

/** Stores the result with its cost in one transaction: a restart before the answer pays for nothing twice. */
function keep(
  ctx: PipelineContext,
  turn: Turn,
  { id }: TurnAttachment,
  content: { text: string } | { reason: AttachmentFailure },
  call: MediaCall | null,
): Promise<void> {
  return ctx.organization(turn.organizationId, async (store) => {
    await finishAttachment(store, id, content)
    if (!call) return
    await recordUsage(store, {
      sourceId: id,
      agentId: turn.agent.id,
      category: 'helper_generation',
      channel: turn.conversation.channel,
      messages: 0,
      spent: { conversationId: turn.conversationId, purpose: 'media' },
      call,
      occurredAt: new Date(),
    })
  })
}

function reasonOf(error: unknown): AttachmentFailure {
  if (error instanceof MediaFailure) return error.reason
  if (appErrorData(error)?.code === 'model_failed') return 'invalid_key' // the agent's own, which cannot be opened
  return error instanceof DOMException && error.name === 'TimeoutError' ? 'timeout' : 'internal'
}

function isSpoken({ kind }: TurnAttachment): boolean {
  return kind === 'voice' || kind === 'video_note'
}

function isWaiting({ status }: TurnAttachment): boolean {
  return status === 'waiting'
}

/** Reading is aborted only when this server stops: the results of a superseded turn serve the next one. */
function stopOf(signal: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const look = () => isStopping(signal) && controller.abort(signal.reason)
  look()
  signal.addEventListener('abort', look, { once: true })
  return controller.signal
}

function isStopping(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === ('stopping' satisfies AbortReason)
}
