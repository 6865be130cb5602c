// The chat as a page of its own, for a link that is handed on.
import { useEffect } from 'react'
import type { WidgetLanguage } from '#shared/channels/webchat.ts'
import type { ApiClient } from './api-client.ts'
import { ChatWindow, OutageNotice } from './chat-window.tsx'
import { TEXTS } from './texts.ts'
import { useAccent } from './use-accent.ts'
import { useChat } from './use-chat.ts'

/** Fills the window. */
export function PageChat({ door, language }: { door: ApiClient; language: WidgetLanguage }) {
  const state = useChat(door, language, 'open')
  const { widget, isGone } = state
  useAccent(widget?.color)
  useEffect(() => {
    if (widget) document.title = widget.title
  }, [widget])
  if (isGone) return <p className="gone">{TEXTS[language].gone}</p>
  if (!widget) return <OutageNotice isDatabaseDown={state.isDatabaseDown} texts={TEXTS[language]} />
  return <ChatWindow state={state} widget={widget} language={language} onClose={null} />
}
