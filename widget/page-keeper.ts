// Keeps the chat on a page that replaces its body, as Turbo Drive and other page swappers do.

/** Milliseconds between two returns, so that a page that keeps removing the frame is not fought forever. */
const RETURN_PAUSE_MS = 1000

/**
 * Puts the frame at the end of the body, and back there whenever the page has removed it. `onReturn` runs before each return: the browser
 * reloads a frame that is attached again.
 */
export function keepOnPage(frame: HTMLElement, onReturn: () => void): void {
  let returnedAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const observer = new MutationObserver(() => !frame.isConnected && comeBack())
  const attach = () => {
    document.body.append(frame)
    observer.disconnect()
    // The page may replace the whole document element as well.
    observer.observe(document, { childList: true })
    observer.observe(document.documentElement, { childList: true })
    observer.observe(document.body, { childList: true })
  }
  const comeBack = () => {
    // Between two bodies there is none; the next one is observed, too.
    if (frame.isConnected || timer !== undefined || !document.body) return
    const pause = returnedAt + RETURN_PAUSE_MS - Date.now()
    if (pause > 0) {
      timer = setTimeout(() => {
        timer = undefined
        comeBack()
      }, pause)
      return
    }
    returnedAt = Date.now()
    onReturn()
    attach()
  }
  attach()
}
