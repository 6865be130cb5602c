// The tool by which a model looks further into the agent's knowledge. Which spaces: from the turn, never from the model.
import { z } from 'zod'
import { pagesOf } from '#server/integrations/llm/pages.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { BAD_FORM, ToolRefused } from '#server/integrations/llm/tool-refusal.ts'
import type { SearchResponse } from '#shared/knowledge/knowledge.ts'
import type { TraceRecorder } from '../../turns/trace.ts'

const QUERY_MAX = 500
const args = z.object({ query: z.string().trim().min(1).max(QUERY_MAX) })

const NAME = 'search_knowledge'
const DESCRIPTION =
  "Searches the organization's knowledge. Use it when the passages at hand do not answer the question, with other words than the customer's."

/**
 * A tool over a search that is already bound to one organization and one agent's spaces.
 *
 * @param own how the agent's settings call it; empty: the built-in name and description
 */
export function knowledgeTool(
  search: (query: string) => Promise<SearchResponse | undefined>,
  own: { name: string; description: string },
  trace: Pick<TraceRecorder, 'tool'>,
): Tool {
  const name = own.name || NAME
  return {
    name,
    description: own.description || DESCRIPTION,
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', maxLength: QUERY_MAX, description: 'What to look for, in a few words.' } },
      required: ['query'],
      additionalProperties: false,
    },
    async run(given) {
      const startedAt = performance.now()
      const parsed = args.safeParse(given)
      if (!parsed.success) throw new ToolRefused('bad_arguments', BAD_FORM)
      const response = await search(parsed.data.query)
      const found = (response?.results ?? []).map(({ id, content, metadata }) => ({
        id,
        source: metadata.source,
        section: metadata.headingPath.join(' › '),
        page: pagesOf(metadata),
        text: content,
      }))
      const durationMs = Math.round(performance.now() - startedAt)
      trace.tool({ name, arguments: given, result: found.map(({ source }) => source), hasFailed: false, durationMs })
      return found
    },
  }
}
