// The form of a tool: texts as they are typed ↔ the definition that the server keeps, and which field a problem is about.
import { problemsOf, type ToolProblem } from '#shared/tools/tool-rules.ts'
import { BOUND_SOURCES, type BoundSource, type ToolDefinition, toolDefinition } from '#shared/tools/tools.ts'

/** A header as it is typed; `secretId` empty: none. */
export type HeaderEntry = { name: string; value: string; secretId: string }
/** `bound`: the argument that a source fills; empty: none. `fields`: a line for each, `name = /pointer`. */
export type ToolForm = Pick<
  ToolDefinition,
  'name' | 'description' | 'method' | 'approval' | 'title' | 'url' | 'body'
> & {
  headers: HeaderEntry[]
  parameters: string
  bound: Record<BoundSource, string>
  fields: string
} & Record<ToolNumber, number | null>
export type ToolNumber = 'timeoutSeconds' | 'maxKilobytes' | 'perTurn' | 'perDay'
export type ToolFormKey = keyof ToolForm
/** What is wrong, by field: a problem of the rules, or `invalid`. */
export type ToolFormErrors = Partial<Record<ToolFormKey, ToolProblem | 'invalid'>>

const EMPTY_PARAMETERS = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }

/** A form for a new tool. */
export const NEW_TOOL: ToolForm = {
  ...{ name: '', description: '', method: 'GET', approval: 'none', title: '' },
  ...{ url: '', body: '', headers: [], fields: '' },
  parameters: JSON.stringify(EMPTY_PARAMETERS, null, 2),
  bound: { phone: '', channel_id: '', contact_id: '' },
  ...{ timeoutSeconds: 5, maxKilobytes: 32, perTurn: 3, perDay: 1000 },
}

/** A kept tool as a form. */
export function formOf(tool: ToolDefinition): ToolForm {
  const { name, description, method, approval, title, url, body } = tool
  const { timeoutSeconds, maxKilobytes, perTurn, perDay } = tool
  const boundTo = (source: BoundSource) => tool.bound.find(({ from }) => from === source)?.argument ?? ''
  return {
    ...{ name, description, method, approval, title, url, body, timeoutSeconds, maxKilobytes, perTurn, perDay },
    headers: tool.headers.map((header) => ({ ...header, secretId: header.secretId ?? '' })),
    parameters: JSON.stringify(tool.parameters, null, 2),
    bound: { phone: boundTo('phone'), channel_id: boundTo('channel_id'), contact_id: boundTo('contact_id') },
    fields: tool.fields.map((field) => `${field.name} = ${field.pointer}`).join('\n'),
  }
}

/** The definition that a form stands for, or what is wrong with it. */
export function toolOf(form: ToolForm): { tool: ToolDefinition } | { errors: ToolFormErrors } {
  const parsed = toolDefinition.safeParse({
    ...form,
    title: form.approval === 'none' ? '' : form.title,
    headers: form.headers.map((header) => ({ ...header, secretId: header.secretId || null })),
    parameters: parametersOf(form.parameters),
    bound: BOUND_SOURCES.flatMap((from) => (form.bound[from] ? [{ argument: form.bound[from].trim(), from }] : [])),
    fields: fieldsOf(form.fields),
  })
  if (!parsed.success) {
    return { errors: Object.fromEntries(parsed.error.issues.map(({ path: [key] }) => [String(key), 'invalid'])) }
  }
  const problems = problemsOf(parsed.data)
  if (problems.length === 0) return { tool: parsed.data }
  return { errors: Object.fromEntries(problems.toReversed().map((problem) => [FIELD_OF[problem], problem])) }
}

const FIELD_OF: Record<ToolProblem, ToolFormKey> = {
  name_reserved: 'name',
  url_invalid: 'url',
  url_placeholder_place: 'url',
  url_path_optional: 'url',
  placeholder_unknown: 'url',
  argument_unused: 'parameters',
  argument_twice: 'bound',
  required_unknown: 'parameters',
  header_forbidden: 'headers',
  header_twice: 'headers',
  body_not_json: 'body',
  body_key_placeholder: 'body',
  body_without_post: 'body',
  secret_without_https: 'url',
  too_many_arguments: 'parameters',
  approval_missing: 'approval',
  title_missing: 'title',
}

/** Undefined for what is no JSON: the schema refuses it. */
function parametersOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function fieldsOf(text: string): { name: string; pointer: string }[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const at = line.indexOf('=')
    return at < 0
      ? { name: line.trim(), pointer: '?' }
      : { name: line.slice(0, at).trim(), pointer: line.slice(at + 1).trim() }
  })
}
