// The page's policy asks for trusted types: a plain text may not become markup. One text may, and it is a constant of Radix.

/** What the select component puts into a style element to hide its scroll bar. */
const SELECT_STYLE =
  /^\[data-radix-select-viewport\]\{[\w:;-]+\}\[data-radix-select-viewport\]::-webkit-scrollbar\{display:none\}$/

type Factory = { createPolicy: (name: string, rules: { createHTML: (html: string) => string | null }) => unknown }

/** Refuses every other text with a TypeError at the place that tried. Browsers without trusted types are left as they are. */
export function startTrustedTypes(factory = (globalThis as { trustedTypes?: Factory }).trustedTypes): void {
  factory?.createPolicy('default', { createHTML: (html) => (SELECT_STYLE.test(html) ? html : null) })
}
