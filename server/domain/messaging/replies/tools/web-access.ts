// Whether the agent of a turn may search the web, and how its searches and visits are made and counted.
import { fetchPage, PageError } from '#server/domain/knowledge/sites/web-page.fetch.ts'
import { listedDomains } from '#server/domain/knowledge/web-search/web-search.rules.ts'
import { searchWeb } from '#server/domain/knowledge/web-search/web-search.run.ts'
import { listEnabled } from '#server/domain/knowledge/web-search/web-search.store.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { isWithin } from '#server/integrations/web-search/web-search.ts'
import type { WebSearchSettings } from '#shared/agents/web-search.ts'
import type { AnsweringContext } from '../../turns/pipeline-context.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import type { Turn } from '../../turns/turn.ts'
import { spacesWith } from '../guards/sources.rules.ts'
import type { StandIn } from './stand-in.ts'
import { type FoundPages, webTools } from './web-search.ts'

/** The tools of an agent one of whose spaces allows it; none where no provider is configured. */
export async function openWeb(
  ctx: AnsweringContext,
  turn: Turn,
  { trace, standIn }: { trace: TraceRecorder; standIn?: StandIn | undefined },
): Promise<{ tools: Tool[]; found: FoundPages }> {
  const found: FoundPages = new Map()
  const { organizationId, agent } = turn
  const spaceIds = spacesWith(agent, 'webSearch')
  if (!ctx.services.webSearch || turn.flags?.webSearch === false || spaceIds.length === 0) return { tools: [], found }
  const spaces = await ctx.read(organizationId, (store) => listEnabled(store, spaceIds))
  if (spaces.length === 0) return { tools: [], found }
  return { tools: webTools(standIn?.web ?? accessOf(ctx, turn, spaces), found, trace), found }
}

function accessOf(ctx: AnsweringContext, turn: Turn, spaces: WebSearchSettings[]): Parameters<typeof webTools>[0] {
  const { organizationId, agent, conversation, conversationId } = turn
  const { channel } = conversation
  const category = channel === 'test' ? 'test_message' : 'agent_response'
  const domains = listedDomains(spaces)
  return {
    search: (query, signal) =>
      searchWeb(
        ctx.services,
        { organizationId, spaces, query, agentId: agent.id, conversationId, category, channel },
        signal,
      ),
    async read(url, signal) {
      try {
        return await fetchPage(ctx.services, url, ({ hostname }) => isWithin(hostname, domains), signal)
      } catch (error) {
        if (error instanceof PageError) return undefined
        throw error
      }
    },
  }
}
