// Two texts as one: what was taken out and what came in, in words or, after a rewrite, in lines.
import { diffArrays } from 'diff'
import { useMemo } from 'react'

/** Time after which a comparison is given up, milliseconds. */
const TIME_LIMIT_MS = 300

/** Share of a text that must be left for its words to be shown between each other. */
const READABLE_SHARE = 0.4

type TextDiffProps = { before: string; after: string; label: string }

/** Words taken out are struck through, new ones underlined: colour is not the only sign. */
export function TextDiff({ before, after, label }: TextDiffProps) {
  const parts = useMemo(() => compare(before, after), [before, after])
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="max-h-[50dvh] overflow-auto whitespace-pre-wrap break-words rounded-lg border border-border bg-muted p-4 text-sm leading-6"
    >
      {parts.map(({ value, added, removed }, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity, and hold no state
        if (added) return <Added key={index}>{value}</Added>
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        if (removed) return <Removed key={index}>{value}</Removed>
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        return <span key={index}>{value}</span>
      })}
    </section>
  )
}

function Added({ children }: { children: string }) {
  return <ins className="bg-success-soft text-success-soft-foreground decoration-1">{children}</ins>
}

function Removed({ children }: { children: string }) {
  return <del className="bg-destructive-soft text-destructive-soft-foreground decoration-1">{children}</del>
}

type Part = { value: string; added: boolean; removed: boolean }

/** Word by word; line by line where little is left of a text, or where the words cannot be compared in time. */
function compare(before: string, after: string): Part[] {
  const words = diffArrays(wordsOf(before), wordsOf(after), { timeout: TIME_LIMIT_MS })
  const byWords = words?.map(({ value, added, removed }) => ({ value: value.join(''), added, removed }))
  if (byWords && sharedBy(byWords, before, after) >= READABLE_SHARE) return byWords
  const lines = diffArrays(linesOf(before), linesOf(after), { timeout: TIME_LIMIT_MS })
  if (lines) return lines.map(({ value, added, removed }) => ({ value: value.join(''), added, removed }))
  return [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ]
}

/** How much of the longer text stands in both, 0 to 1; spaces and signs do not count. Two empty texts are the same. */
function sharedBy(parts: Part[], before: string, after: string): number {
  const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '').length
  const shared = letters(parts.map(({ value, added, removed }) => (added || removed ? '' : value)).join(''))
  const longest = Math.max(letters(before), letters(after))
  return longest === 0 ? 1 : shared / longest
}

/** With the ends of the lines: joined they are the text. The last one gets an end, so that blocks stand below each other. */
function linesOf(text: string): string[] {
  return (text.endsWith('\n') || text === '' ? text : `${text}\n`).match(/[^\n]*\n/g) ?? []
}

/** Words of any script, spaces, and each other character: joined they are the text. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? []
}
