// A call of an HTTP tool: arguments → address and body, and which host it may reach. Arguments stand in segments of the path, values of the
// query and texts of the body, always encoded: they cannot lead a call elsewhere.
import {
  type Around,
  fillPlaceholders,
  hasBody,
  parseBody,
  placeholdersOf,
  readAddress,
} from '#shared/tools/tool-rules.ts'
import type { ToolArguments, ToolDefinition } from '#shared/tools/tools.ts'

/** What is sent; `body` undefined: none. */
export type ToolRequest = { url: URL; body: string | undefined }

/** The request for these arguments, those that are bound included. Null where no address comes of them. */
export function requestOf(
  tool: Pick<ToolDefinition, 'url' | 'body' | 'method'>,
  values: ToolArguments,
): ToolRequest | null {
  const address = readAddress(tool.url)
  if (!address) return null
  const fill = (template: string) =>
    fillPlaceholders(template, (name, around) => encoded(withinQuotes(text(values[name]), around)))
  const segments = address.segments.map(fill)
  const isWhole = address.segments.every((segment) =>
    placeholdersOf(segment).every((name) => text(values[name]) !== ''),
  )
  if (!isWhole) return null // an address without the order is the list of all orders
  const pairs = address.pairs
    .filter(({ value }) => placeholdersOf(value).every((name) => values[name] !== undefined))
    .map(({ name, value }) => `${name}=${fill(value)}`)
  const path = `/${segments.join('/')}`
  const query = pairs.length > 0 ? `?${pairs.join('&')}` : ''
  const url = URL.parse(address.origin + path + query)
  // `..` from an argument would climb in the path: what the parser rewrites is not sent.
  if (!url || url.pathname !== path || url.search !== query) return null
  return { url, body: bodyOf(tool, values) }
}

function bodyOf({ body, method }: Pick<ToolDefinition, 'body' | 'method'>, values: ToolArguments): string | undefined {
  if (!hasBody(method)) return undefined
  return JSON.stringify(body.trim() === '' ? {} : filled(parseBody(body), values))
}

/** A text that is nothing but a placeholder becomes the value as it is; a key whose argument is missing is left out. */
function filled(template: unknown, values: ToolArguments): unknown {
  if (typeof template === 'string') {
    const [only, ...others] = placeholdersOf(template)
    if (only !== undefined && others.length === 0 && template === `{${only}}`) return values[only]
    return fillPlaceholders(template, (name, around) => withinQuotes(text(values[name]), around))
  }
  if (Array.isArray(template)) return template.map((item) => filled(item, values)).filter((item) => item !== undefined)
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, filled(item, values)]))
}

function text(value: ToolArguments[string] | undefined): string {
  return value === undefined ? '' : `${value}`.toWellFormed()
}

/**
 * What stands in quotes of a query, such as a filter of OData or a query of GraphQL, must not end them: `'` is doubled as these languages have it,
 * and `"` is escaped.
 */
function withinQuotes(value: string, { before, after }: Around): string {
  const isWithin = (quote: RegExp) => (before.match(quote)?.length ?? 0) % 2 === 1 && after.search(quote) >= 0
  if (isWithin(/'|%27/g)) return value.replaceAll("'", "''")
  return isWithin(/"|%22/g) ? value.replace(/["\\]/g, '\\$&') : value
}

/** Also what `encodeURIComponent` leaves and a URL parser may change. */
function encoded(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Whether a host is one of these; `*.shop.example` is every name below it, not itself. */
export function isHostAllowed(host: string, allowed: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return allowed.some((each) => (each.startsWith('*.') ? name.endsWith(each.slice(1)) : name === each))
}
