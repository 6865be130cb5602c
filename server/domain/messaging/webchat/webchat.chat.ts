// Streams a visitor's conversation to their browser: the present state, and then each change.

import { isOpenAt } from '#server/domain/agents/hours.rules.ts'
import type { SessionVisitor } from '#server/domain/channels/webchat/webchat.sessions.ts'
import { readConversation, type Widget } from '#server/domain/channels/webchat/webchat.store.ts'
import type { VisitorChat } from '#shared/channels/webchat.ts'
import { AppError } from '#shared/errors.ts'
import { WEBCHAT_VISITOR_PAUSE_MS } from '#shared/limits.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import type { VisitorLimits } from './webchat.limits.ts'
import type { VisitorStreams, Watcher } from './webchat.streams.ts'

/** Keeps proxies from taking a quiet stream for a dead one. */
const HEARTBEAT_MS = 20_000
/** A stream ends after this time and is reopened: by then its widget may be gone, and its session over. */
const STREAM_MS = 10 * 60_000

/** One visitor of one widget, admitted. */
export type ChatVisitor = SessionVisitor & { key: string; widget: Widget }
type Parts = { ctx: PipelineContext; streams: VisitorStreams; limits: VisitorLimits }

async function look(ctx: PipelineContext, { widget, visitorId }: ChatVisitor) {
  const { id: connectionId, organizationId } = widget.connection
  const found = await ctx.read(organizationId, (store) => readConversation(store, { connectionId, visitorId }))
  const { id, ...seen } = found
  const chat: VisitorChat = { ...seen, isOpen: isOpenAt(widget.availability, widget.timeZone, Date.now()) }
  return { id, chat }
}

/** Server-sent events `chat`, each the whole conversation. @throws AppError rate_limited when too many are open */
export function streamChat({ ctx, streams, limits }: Parts, visitor: ChatVisitor, address: string): Response {
  const leave = limits.openStream(address, visitor.visitorId)
  if (!leave) throw new AppError('rate_limited', { retryAfterMs: WEBCHAT_VISITOR_PAUSE_MS })
  let followed = { end: () => {}, goOn: () => {} }
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      followed = follow({ ctx, streams, visitor, controller, leave })
    },
    pull: () => followed.goOn(),
    cancel: () => followed.end(),
  })
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
  return new Response(body, { headers })
}

type Following = Pick<Parts, 'ctx' | 'streams'> & {
  visitor: ChatVisitor
  controller: ReadableStreamDefaultController<Uint8Array>
  leave(): void
}

/**
 * Writes each change until ended. Never two looks at once: changes during one are seen by the next. A browser that falls behind gets only the
 * newest state: nothing is looked at before it has taken the one before. `goOn`: it has.
 */
function follow({ ctx, streams, visitor, controller, leave }: Following): { end(): void; goOn(): void } {
  const encoder = new TextEncoder()
  let shown = ''
  let isLooking = false
  let isStale = false
  let isEnded = false
  const hasRoom = () => !isEnded && (controller.desiredSize ?? 0) > 0
  const write = (text: string) => {
    if (hasRoom()) controller.enqueue(encoder.encode(text))
  }
  const show = async () => {
    isStale = true
    if (isLooking) return
    isLooking = true
    try {
      while (isStale && hasRoom()) {
        isStale = false
        const { id, chat } = await look(ctx, visitor)
        // No one was notified of changes to a conversation that was still unknown: a second look sees what came during this one.
        if (id !== watcher.conversationId) isStale = true
        watcher.conversationId = id
        const text = JSON.stringify(chat)
        if (text !== shown) write(`event: chat\ndata: ${text}\n\n`)
        shown = text
      }
    } catch (error) {
      ctx.logger.warn({ err: error }, 'a visitor was not shown their conversation')
      end() // the browser opens another stream, which begins with everything
    } finally {
      isLooking = false
    }
  }
  const watcher: Watcher = {
    connectionId: visitor.widget.connection.id,
    visitorId: visitor.visitorId,
    conversationId: null,
    onChange: () => void show(),
    onClose: () => end(),
  }
  const unwatch = streams.watch(watcher)
  const heartbeat = setInterval(() => write(': here\n\n'), HEARTBEAT_MS).unref()
  const limit = setTimeout(() => end(), STREAM_MS).unref()
  function end() {
    if (isEnded) return
    isEnded = true
    unwatch()
    leave()
    clearInterval(heartbeat)
    clearTimeout(limit)
    try {
      controller.close()
    } catch {
      // The browser has left: there is nothing to close.
    }
  }
  void show()
  return { end, goOn: () => void (isStale && show()) }
}
