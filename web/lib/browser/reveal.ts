// Rows of tabs and links that are wider than a narrow screen.

/** As the ref of the current one: brings it into view within its row. */
export function reveal(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
