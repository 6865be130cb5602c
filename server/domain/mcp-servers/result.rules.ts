// What a tool of an MCP server has answered → what a model receives of it: its words. Pictures and files are only named.
import { withoutSecrets } from '#server/domain/tools/answer.rules.ts'
import type { CalledTool } from '#server/integrations/mcp/tools.ts'
import { clean } from './schema.rules.ts'

/** Characters that are kept. */
const RESULT_MAX = 64 * 1024
const CUT = '\n[The rest of the result was cut off.]'

/** The text of a result, without the token, should the server repeat it. */
export function textOfResult({ content = [], structuredContent }: CalledTool, token: string | null): string {
  const parts = content.map((part) => textOfPart(part))
  const hasText = content.some(({ type }) => type === 'text')
  const json = !hasText && structuredContent !== undefined ? [JSON.stringify(structuredContent)] : []
  const whole = withoutSecrets(clean([...json, ...parts].join('\n')), token === null ? [] : [token])
  if (whole === '') return 'The tool has given an empty result.'
  return whole.length > RESULT_MAX ? whole.slice(0, RESULT_MAX).toWellFormed() + CUT : whole
}

function textOfPart(part: { type: string; text?: unknown }): string {
  if (part.type === 'text') return typeof part.text === 'string' ? part.text : ''
  if (part.type === 'image') return '[A picture, which is not shown.]'
  if (part.type === 'audio') return '[A recording, which is not played.]'
  return '[A file, which is not read.]'
}
