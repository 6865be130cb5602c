// A tag of a conversation. Its name decides its colour, so that it has the same everywhere.
import { Badge } from '#web/components/ui/badge.tsx'

const TONES = ['neutral', 'primary', 'success', 'warning'] as const

/** One line, cut when it is long. */
export function Tag({ tag }: { tag: string }) {
  return (
    <Badge tone={toneOf(tag)} className="h-5 max-w-32 shrink">
      <span className="truncate">{tag}</span>
    </Badge>
  )
}

function toneOf(tag: string) {
  const sum = [...tag].reduce((hash, sign) => (hash * 31 + (sign.codePointAt(0) ?? 0)) % 65_536, 7)
  return TONES[sum % TONES.length]
}
