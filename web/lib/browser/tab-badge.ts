// What the tab shows of the inbox: the number of unread conversations before the title, and a mark in the icon while there are alerts.

let title = 'Parley'
let unread: string | null = null
let isMarked = false

/** Names the tab. */
export function setTitle(next: string): void {
  title = next
  show()
}

/** The number before the title, as it is shown, such as `7` or `99+`; null: none. */
export function setTabCount(next: string | null): void {
  unread = next
  show()
}

/** Marks the icon, or takes the mark away. */
export function setTabMark(next: boolean): void {
  if (isMarked === next) return
  isMarked = next
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (icon) icon.href = next ? '/favicon-alert.svg' : '/favicon.svg'
}

function show(): void {
  document.title = unread === null ? title : `(${unread}) ${title}`
}
