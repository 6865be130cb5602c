// The page's policy asks for trusted types: a plain text may not become markup or a script. One text may become markup, and it is a
// constant of Radix; and one address a service worker.

/** What the select component puts into a style element to hide its scroll bar. */
const SELECT_STYLE =
  /^\[data-radix-select-viewport\]\{[\w:;-]+\}\[data-radix-select-viewport\]::-webkit-scrollbar\{display:none\}$/

/** The service worker that shows alerts. */
export const PUSH_WORKER_URL = '/push-worker.js'

type Rule = (text: string) => string | null
type Factory = { createPolicy: (name: string, rules: { createHTML: Rule; createScriptURL: Rule }) => unknown }

/** Refuses every other text with a TypeError at the place that tried. Browsers without trusted types are left as they are. */
export function startTrustedTypes(factory = (globalThis as { trustedTypes?: Factory }).trustedTypes): void {
  factory?.createPolicy('default', {
    createHTML: (html) => (SELECT_STYLE.test(html) ? html : null),
    createScriptURL: (url) => (url === PUSH_WORKER_URL ? url : null),
  })
}
