// What the tab shows of alerts: their number before the title, and a mark in the icon.

let title = 'Parley'
let count = 0

/** Names the tab. */
export function setTitle(next: string): void {
  title = next
  show()
}

/** Marks the tab with the number of alerts; 0 takes the mark away. */
export function setTabBadge(next: number): void {
  if (count === next) return
  count = next
  show()
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (icon) icon.href = count > 0 ? '/favicon-alert.svg' : '/favicon.svg'
}

function show(): void {
  document.title = count > 0 ? `(${count}) ${title}` : title
}
