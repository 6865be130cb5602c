// Addresses as earlier versions wrote them: bookmarks and links in messages still hold them.
import { paths } from './paths.ts'

/** Query parameters of the inbox and of a conversation, by the name that they had. */
const RENAMED = { place: 'folder' } as const
const CONVERSATION = paths.conversation('')

/** Gives the address of the current history entry the names that are read now. Safe to call again. */
export function renameAddressParams(): void {
  const url = new URL(window.location.href)
  if (url.pathname !== paths.chats && !url.pathname.startsWith(CONVERSATION)) return
  const before = url.search
  for (const [earlier, name] of Object.entries(RENAMED)) {
    const value = url.searchParams.get(earlier)
    if (value === null) continue
    if (!url.searchParams.has(name)) url.searchParams.set(name, value)
    url.searchParams.delete(earlier)
  }
  if (url.search !== before) window.history.replaceState(window.history.state, '', url.href)
}
