// GET /metrics: counts of outgoing messages for the monitoring of this installation, in the text format of Prometheus.
import { type Context, Hono } from 'hono'
import type { Channels } from '#server/integrations/channels/registry.ts'
import { constantTimeEqual } from '#server/platform/lib/constant-time-equal.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { countParts, type StoredParts } from './metrics.store.ts'

const STATES = ['waiting', 'failed', 'unknown'] as const

/** How many parts this process has sent since it started, by channel. */
export type SentParts = ReadonlyMap<string, number>

type MetricsParts = {
  sent(): SentParts
  /** Bearer token that a request must carry; undefined: the route is off. */
  token: string | undefined
}

/** The route. Answers 404 unless the request carries the token. */
export function metricsRoutes(ctx: PipelineContext, { sent, token }: MetricsParts): Hono {
  return new Hono().get('/metrics', async (c: Context) => {
    const shown = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1]
    if (!token || !shown || !constantTimeEqual(shown, token)) return c.json({ code: 'not_found' }, 404)
    const stored = await ctx.look('pipeline: count parts', countParts)
    const channels = Object.keys(ctx.services.channels) as (keyof Channels)[]
    return c.text(metricsText(channels, stored, sent()), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    })
  })
}

/** A line for each channel and state, also where there is nothing. */
function metricsText(channels: (keyof Channels)[], stored: StoredParts[], sent: SentParts): string {
  const gauges = channels.flatMap((channel) =>
    STATES.map((state) => {
      const parts = stored.find((each) => each.channel === channel && each.state === state)?.parts ?? 0
      return `parley_parts{channel="${channel}",state="${state}"} ${parts}`
    }),
  )
  const counters = channels.map((channel) => `parley_parts_sent_total{channel="${channel}"} ${sent.get(channel) ?? 0}`)
  return [
    '# HELP parley_parts Parts of messages in the whole installation: waiting to be sent, failed, of unknown delivery.',
    '# TYPE parley_parts gauge',
    ...gauges,
    '# HELP parley_parts_sent_total Parts that this process has sent.',
    '# TYPE parley_parts_sent_total counter',
    ...counters,
    '',
  ].join('\n')
}
