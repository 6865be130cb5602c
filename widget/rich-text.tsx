// The text of a bubble: paragraphs, lists as they were written, bold and code, links that show where they lead. Nothing is ever loaded.
import { Fragment, type ReactNode } from 'react'
import { keepNumbersWhole } from '#shared/number-spaces.ts'

// No part of it may look far ahead from each of many beginnings: a text of brackets would hold the page up.
const PIECE = /(\*\*[^*\n]+\*\*|`[^`\n]+`|\[[^[\]\n]+\]\((?:https?:\/\/|mailto:)[^\s)]{1,2000}\)|https?:\/\/[^\s<>"]+)/g
const TRAILING = '.,;:!?)]}\'"»'

/** Shows unknown syntax as written. */
export function RichText({ text }: { text: string }) {
  return text.split(PIECE).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name, and never move
    <Fragment key={index}>{index % 2 === 0 ? keepNumbersWhole(piece) : render(piece)}</Fragment>
  ))
}

function render(piece: string): ReactNode {
  if (piece.startsWith('**')) return <strong>{keepNumbersWhole(piece.slice(2, -2))}</strong>
  if (piece.startsWith('`')) return <code>{piece.slice(1, -1)}</code>
  const named = /^\[([^\]]+)\]\((.+)\)$/.exec(piece)
  if (named?.[1] && named[2]) return <Link href={named[2]} label={named[1]} />
  let end = piece.length
  while (TRAILING.includes(piece.charAt(end - 1)) && end > 0) end -= 1
  const href = piece.slice(0, end)
  return (
    <>
      <Link href={href} label={href} />
      {piece.slice(end)}
    </>
  )
}

/** A link that shows its host, unless its text contains it. */
function Link({ href, label }: { href: string; label: string }) {
  const url = URL.parse(href)
  if (!url || !/^(https?|mailto):$/.test(url.protocol)) return label
  const host = url.protocol === 'mailto:' ? url.pathname : url.host
  const isNamed = label === host || URL.parse(label)?.host === url.host
  return (
    <>
      <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
        {label}
      </a>
      {!isNamed && ` (${host})`}
    </>
  )
}
