// The open chat: who answers, the messages, and the input.
import { useEffect, useRef } from 'react'
import type { VisitorSession, WidgetLanguage } from '#shared/channels/webchat.ts'
import type { BrandFooter } from '#shared/organizations/branding.ts'
import { ChatLog } from './chat-log.tsx'
import { Composer } from './composer.tsx'
import { CloseIcon } from './icons.tsx'
import { RatingForm } from './rating-form.tsx'
import { TEXTS, type WidgetTexts } from './texts.ts'
import type { ChatState } from './use-chat.ts'

type ChatWindowProps = {
  state: ChatState
  widget: VisitorSession['widget']
  language: WidgetLanguage
  /** Null: it cannot be closed. */
  onClose: (() => void) | null
}

/** Escape closes it. The input has the initial focus. A widget that was removed can only be read. */
export function ChatWindow({ state, widget, language, onClose }: ChatWindowProps) {
  const texts = TEXTS[language]
  const { chat, isGone } = state
  const input = useRef<HTMLTextAreaElement>(null)
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => (isGone ? close : input).current?.focus(), [isGone])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.isComposing) onClose?.()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [onClose])
  function callPerson() {
    state.send(texts.personMessage, 'person')
    input.current?.focus() // the button disappears, and would take the focus with it
  }
  const own = widget.texts[language]
  return (
    <main className="window">
      <header>
        <Face avatar={widget.avatar} title={widget.title} />
        <h1>{widget.title}</h1>
        {onClose && (
          <button ref={close} type="button" className="icon" aria-label={texts.close} onClick={onClose}>
            <CloseIcon />
          </button>
        )}
      </header>
      {isGone ? (
        <p className="gone" role="alert">
          {texts.gone}
        </p>
      ) : (
        <>
          <OutageNotice isDatabaseDown={state.isDatabaseDown} texts={texts} />
          {chat && !chat.isOpen && <p className="notice">{own.offline || texts.offlineNow}</p>}
          <ChatLog state={state} greeting={own.greeting} texts={texts} />
          <div role="status" className="status">
            {!state.isConnected && !state.isDatabaseDown && texts.disconnected}
            {state.isConnected && chat?.person && personText(state, chat.person, texts)}
          </div>
          {chat?.isRatingAsked && <RatingForm texts={texts} onRate={state.rate} />}
          <Composer
            input={input}
            texts={texts}
            onSend={(text) => state.send(text)}
            onType={state.onType}
            onPerson={chat?.person ? null : callPerson}
            uploads={widget.takesFiles ? state.uploads : null}
          />
        </>
      )}
      {widget.footer && <BrandLine footer={widget.footer} />}
    </main>
  )
}

/** Who is behind the chat. A link opens next to the page of the site. */
function BrandLine({ footer: { text, url } }: { footer: BrandFooter }) {
  return (
    <footer className="brand-line">
      {url === null ? (
        text
      ) : (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {text}
        </a>
      )}
    </footer>
  )
}

/** Shown and hidden automatically. */
export function OutageNotice({ isDatabaseDown, texts }: { isDatabaseDown: boolean; texts: WidgetTexts }) {
  return (
    <p className="notice outage" role="alert" hidden={!isDatabaseDown}>
      {isDatabaseDown && texts.outage}
    </p>
  )
}

function personText({ isPersonTyping }: ChatState, person: 'called' | 'here', texts: WidgetTexts): string {
  if (isPersonTyping) return texts.personTyping
  return person === 'here' ? texts.personHere : texts.withPerson
}

function Face({ avatar, title }: { avatar: string | null; title: string }) {
  if (avatar !== null) return <img className="face" src={avatar} alt="" />
  return (
    <span className="face" aria-hidden="true">
      {[...title][0]?.toUpperCase()}
    </span>
  )
}
