// The model that helps the operator: its state, its text, and undoing what it put into the box.
import { useRef, useState } from 'react'
import type { Conversation, MessageSource } from '#shared/messaging/conversations.ts'
import type { RewriteManner, SuggestedReply, TranslationLanguage } from '#shared/messaging/operator-tools.ts'
import { api } from '#web/api.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { useIsShown } from '../list/use-is-shown.ts'

/** Shown above the box: a summary, or that the draft was written by a model, with its sources. */
export type HelperNote =
  | { kind: 'summary'; text: string }
  | { kind: 'draft'; text: string; sources: MessageSource[]; before: string }

export type Helper = {
  isBusy: boolean
  note: HelperNote | null
  suggest: () => void
  summarize: () => void
  rewrite: (manner: RewriteManner) => void
  translate: (language: TranslationLanguage) => void
  /** Restores the previous text of the box. */
  undo: () => void
  dismiss: () => void
}

type Box = { conversation: Conversation; draft: string; onDraftChange: (text: string) => void }

/** Text of the model goes into the box; only the operator sends it. One request at a time. */
export function useHelper({ conversation, draft, onDraftChange }: Box): Helper {
  const { helper } = api.conversations
  const actions = {
    suggest: useAction(helper.suggest),
    summarize: useAction(helper.summarize),
    rewrite: useAction(helper.rewrite),
    translate: useAction(helper.translate),
  }
  const [isBusy, setBusy] = useState(false)
  const [note, setNote] = useState<HelperNote | null>(null)
  const isShown = useIsShown()
  const newest = useRef(draft)
  newest.current = draft
  const conversationId = conversation._id

  async function run(write: () => Promise<void>) {
    if (isBusy) return
    setBusy(true)
    await write().catch(() => undefined) // reported in a toast
    setBusy(false)
  }
  function put({ text, sources }: SuggestedReply) {
    if (!isShown.current) return // the box has closed; its draft may have changed since
    setNote({ kind: 'draft', text, sources, before: newest.current })
    onDraftChange(text)
  }
  return {
    isBusy,
    note,
    suggest: () => void run(async () => put(await actions.suggest({ conversationId }))),
    summarize: () =>
      void run(async () => setNote({ kind: 'summary', ...(await actions.summarize({ conversationId })) })),
    rewrite: (manner) =>
      void run(async () => put({ ...(await actions.rewrite({ conversationId, draft, manner })), sources: [] })),
    translate: (language) =>
      void run(async () => put({ ...(await actions.translate({ conversationId, draft, language })), sources: [] })),
    undo: () => {
      if (note?.kind === 'draft') onDraftChange(note.before)
      setNote(null)
    },
    dismiss: () => setNote(null),
  }
}
