// What the tab shows of the inbox: the number of unread conversations before the title, and a mark in the icon while there are alerts.

let title = 'Parley'
let unread: string | null = null
let isMarked = false
let icon = '/favicon.svg'

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

/** Marks the icon, or takes the mark away. An icon of another brand stays as it is. */
export function setTabMark(next: boolean): void {
  isMarked = next
  showIcon()
}

/** Shows the icon of a brand; null: the program's. */
export function setTabIcon(next: string | null): void {
  icon = next ?? '/favicon.svg'
  showIcon()
}

function showIcon(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  const href = isMarked && icon === '/favicon.svg' ? '/favicon-alert.svg' : icon
  if (!link || link.getAttribute('href') === href) return
  link.removeAttribute('type')
  link.href = href
}

function show(): void {
  document.title = unread === null ? title : `(${unread}) ${title}`
}
