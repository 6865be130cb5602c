// The tools by which a model searches the web and reads the results. It may read only pages that the searches of this answer found: a URL
// planted in a text cannot be visited. Content of pages reaches the model as fenced data only.
import { z } from 'zod'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { BAD_FORM, ToolRefused } from '#server/integrations/llm/tool-refusal.ts'
import type { WebHit } from '#shared/agents/web-search.ts'
import { AppError } from '#shared/errors.ts'
import { WEB_QUERY_MAX, WEB_SEARCHES_PER_TURN } from '#shared/limits.ts'
import type { MessageSource, WebSourceId } from '#shared/messaging/conversations.ts'
import type { TraceRecorder } from '../../turns/trace.ts'

/** Maximum pages read per answer. */
const PAGES_MAX = 3
/** Maximum characters of a page for the model. */
const PAGE_CHARACTERS = 8000
const EXCERPT_CHARACTERS = 400
const NO_SEARCHES_LEFT = `Not carried out: at most ${WEB_SEARCHES_PER_TURN} searches of the web are made for one answer.`

const question = z.object({ query: z.string().trim().min(1).max(WEB_QUERY_MAX) })
const choice = z.object({ id: z.string() })

/** Pages found by the searches of one answer, as sources of the message, by the ids that the model receives. */
export type FoundPages = Map<string, MessageSource & { chunkId: WebSourceId; url: string }>

/** Access to the web, bound to one organization and one agent. */
export type WebAccess = {
  /** @throws AppError web_search_limit_reached, web_search_failed */
  search(query: string, signal: AbortSignal): Promise<WebHit[]>
  /** @returns undefined for a page that cannot be read */
  read(url: string, signal: AbortSignal): Promise<{ title: string; text: string } | undefined>
}

/** The two tools over an access. Their results are recorded in `found`. */
export function webTools(access: WebAccess, found: FoundPages, trace: TraceRecorder): Tool[] {
  let pagesRead = 0
  let searches = 0
  return [
    traced(trace, {
      name: 'search_web',
      description:
        'Searches the web for what the knowledge of the organization does not hold. Write the question in a few words, without names, numbers or addresses of the customer. Say in the answer which site a fact comes from.',
      parameters: parametersOf('query', { maxLength: WEB_QUERY_MAX, description: 'What to look for, in a few words.' }),
      async run(given, signal) {
        const parsed = question.safeParse(given)
        if (!parsed.success) throw new ToolRefused('bad_arguments', BAD_FORM)
        if (searches >= WEB_SEARCHES_PER_TURN) throw new ToolRefused('web_limit', NO_SEARCHES_LEFT)
        searches += 1
        return (await access.search(parsed.data.query, signal)).map((hit) => note(found, hit))
      },
    }),
    traced(trace, {
      name: 'read_web_page',
      description: 'Reads one of the pages that search_web has found, when what it says there is not enough.',
      parameters: parametersOf('id', { description: 'The id of the page as search_web has given it.' }),
      async run(given, signal) {
        const page = found.get(choice.safeParse(given).data?.id ?? '')
        if (!page) return 'There is no such page among those that were found.'
        if (pagesRead >= PAGES_MAX) return 'No more pages can be read for this answer.'
        pagesRead += 1
        const read = await access.read(page.url, signal)
        if (!read) return 'The page cannot be read.'
        const text = read.text.slice(0, PAGE_CHARACTERS).toWellFormed()
        return [{ id: page.chunkId, url: page.url, title: read.title || page.source, text }]
      },
    }),
  ]
}

function parametersOf(name: string, property: object): Record<string, unknown> {
  return {
    type: 'object',
    properties: { [name]: { type: 'string', ...property } },
    required: [name],
    additionalProperties: false,
  }
}

/** A string result is an error for the model. Thrown errors are recorded by the loop that runs the tools. */
function traced(trace: TraceRecorder, tool: Tool): Tool {
  return {
    ...tool,
    async run(given, signal) {
      const startedAt = performance.now()
      const record = (result: unknown) => {
        const durationMs = Math.round(performance.now() - startedAt)
        const hasFound = Array.isArray(result) && result.length > 0
        const hasFailed = typeof result === 'string'
        trace.tool({ name: tool.name, arguments: given, result, hasFailed, hasFound, durationMs })
      }
      try {
        const result = await tool.run(given, signal)
        record(result)
        return result
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const explanation = explain(error)
        record(explanation)
        return explanation
      }
    },
  }
}

function explain({ code }: AppError): string {
  return code === 'web_search_limit_reached'
    ? 'No searches of the web are left today.'
    : 'The web cannot be searched right now.'
}

/** A page keeps its id when it is found again. */
function note(found: FoundPages, { url, title, text }: WebHit) {
  const known = [...found.values()].find((page) => page.url === url)
  const id: WebSourceId = known?.chunkId ?? `web:${found.size + 1}`
  const excerpt = text.slice(0, EXCERPT_CHARACTERS).toWellFormed()
  if (!known) found.set(id, { chunkId: id, documentId: url, source: title, page: null, score: 1, excerpt, url })
  return { id, url, title, text }
}
