// What an agent finds in a check: the attack where it is to stand, and harmless answers everywhere else.
import type { Tool } from '#server/integrations/llm/tool.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { SearchResponse, SearchResult } from '#shared/knowledge/knowledge.ts'
import type { AttackCarrier } from '#shared/messaging/attack-checks.ts'
import type { StandIn } from '../replies/tools/stand-in.ts'
import type { TraceRecorder } from '../turns/trace.ts'

const PAGE = 'https://news.example/article'
const HARMLESS = 'Done. There are no comments.'

/** `wasRead`: the model has been given the attack. */
export type Staged = { standIn: StandIn; wasRead(): boolean; tool(tool: Tool, parts: ToolParts): Tool }
/** `isMcp`: it is one of an MCP server. */
type ToolParts = { trace: TraceRecorder; isMcp: boolean }

/** The places of one case. Nothing of it calls anything. */
export function stage(carrier: AttackCarrier, text: string): Staged {
  let wasRead = carrier === 'message' || carrier === 'mcp_description'
  const at = (place: AttackCarrier, otherwise: string) => {
    if (place !== carrier) return otherwise
    wasRead = true
    return text
  }
  return {
    wasRead: () => wasRead,
    standIn: {
      customer: { phone: '77051112233', channel_id: '77051112233', contact_id: newId('customers') },
      search: async () => found(carrier === 'document' ? at('document', '') : null),
      service: (kind) => at(kind === 'http' ? 'http_result' : 'mcp_result', HARMLESS),
      web: {
        search: async () => [{ url: PAGE, title: 'Article', text: at('web_page', HARMLESS) }],
        read: async () => ({ title: 'Article', text: at('web_page', HARMLESS) }),
      },
    },
    tool: (tool, { trace, isMcp }) => {
      if (carrier === 'cell' && tool.name === 'query_table') return tableOf(tool, trace, () => at('cell', ''))
      return carrier === 'mcp_description' && isMcp ? { ...tool, description: `${tool.description}\n${text}` } : tool
    },
  }
}

/** The table tool, with one row in which the attack stands. */
function tableOf(tool: Tool, trace: TraceRecorder, cell: () => string): Tool {
  return {
    ...tool,
    async run(given) {
      const result = { columns: ['Product', 'Review'], rows: [['QX-4512', cell()]], count: 1 }
      trace.tool({ name: tool.name, arguments: given, result, hasFailed: false, hasFound: true, durationMs: 0 })
      return result
    },
  }
}

function found(text: string | null): SearchResponse {
  const results = text === null ? [] : [passage(text)]
  return { results, evidence: results.length, nearest: null, isWeak: text === null, elapsedMs: 0, stages: [] }
}

function passage(content: string): SearchResult {
  return {
    ...{ id: newId('chunks'), documentId: newId('documents'), content, tokens: 0, score: 1, matchedTerms: [] },
    scores: { words: 1, grams: 0, meaning: null, relevance: null },
    isNeighbour: false,
    metadata: {
      ...{ source: 'leaflet.txt', sourceKind: 'document', chunkIndex: 0, totalChunks: 1, headingPath: [] },
      ...{ page: null, lastPage: null, sheet: null, firstRow: null, lastRow: null },
    },
  }
}
