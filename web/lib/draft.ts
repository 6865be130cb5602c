// Text that is being typed, kept in this browser tab's storage so that it survives a lost session or a reload.
import { useCallback, useEffect, useState } from 'react'

const PREFIX = 'parley-draft:'

/**
 * State like useState for a text, kept under `key`. An empty text is forgotten.
 *
 * @param key names the place, for example `conversation:<id>`; null keeps nothing
 */
export function useDraft(key: string | null, initial = ''): [string, (text: string) => void] {
  const [text, setText] = useState(() => read(key) ?? initial)
  const [shownKey, setShownKey] = useState(key)
  if (shownKey !== key) {
    setShownKey(key)
    setText(read(key) ?? initial)
  }
  useEffect(() => {
    if (key !== null && shownKey === key) write(key, text)
  }, [key, shownKey, text])
  return [text, useCallback((next: string) => setText(next), [])]
}

function read(key: string | null): string | null {
  try {
    return key === null ? null : sessionStorage.getItem(PREFIX + key)
  } catch {
    return null
  }
}

function write(key: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(PREFIX + key, text)
    else sessionStorage.removeItem(PREFIX + key)
  } catch {
    // Without storage a draft lasts as long as the page.
  }
}
