// The text of a bubble: paragraphs, lists as they were written, bold and code, links that show where they lead. Nothing is ever loaded.
import { Fragment, type ReactNode } from 'react'

const PIECE = /(\*\*[^*\n]+\*\*|`[^`\n]+`|\[[^\]\n]+\]\((?:https?:\/\/|mailto:)[^\s)]+\)|https?:\/\/[^\s<>"]+)/g
const TRAILING = /[.,;:!?)\]}'"»]+$/

/** Whatever it does not know it shows as it stands. */
export function RichText({ text }: { text: string }) {
  return text.split(PIECE).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name, and never move
    <Fragment key={index}>{index % 2 === 0 ? piece : render(piece)}</Fragment>
  ))
}

function render(piece: string): ReactNode {
  if (piece.startsWith('**')) return <strong>{piece.slice(2, -2)}</strong>
  if (piece.startsWith('`')) return <code>{piece.slice(1, -1)}</code>
  const named = /^\[([^\]]+)\]\((.+)\)$/.exec(piece)
  if (named?.[1] && named[2]) return <Link href={named[2]} label={named[1]} />
  const trailing = TRAILING.exec(piece)?.[0] ?? ''
  const href = piece.slice(0, piece.length - trailing.length)
  return (
    <>
      <Link href={href} label={href} />
      {trailing}
    </>
  )
}

/** A link that says its host, unless it stands in its text anyway. */
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
