// The control panel's state: in the URL, so that a link restores it; instructions that are too long for a link stay in this tab.
import { createParser, parseAsBoolean, useQueryStates } from 'nuqs'
import { useState } from 'react'
import type { Agent } from '#shared/agents/agents.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { TEST_VARIANTS, type TestVariant } from '#shared/messaging/test-chat.ts'
import { api } from '#web/api.ts'
import { useDraft } from '#web/lib/browser/draft.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import {
  type ControlKey,
  type Controls,
  LINKED_PROMPT_MAX,
  parseControls,
  withControl,
  withoutGone,
} from './controls.rules.ts'

const parseAsControls = createParser<Controls>({
  parse: parseControls,
  serialize: (controls) => JSON.stringify(controls),
  eq: (one, other) => JSON.stringify(one) === JSON.stringify(other),
})
const parsers = { a: parseAsControls, b: parseAsControls, compare: parseAsBoolean.withDefault(false) }

/** What is set for one of two chats. */
export type VariantControls = {
  controls: Controls
  set: <Key extends ControlKey>(key: Key, value: Controls[Key] | undefined) => void
  resetAll: () => void
  /** The instructions are too long for the link and are kept in this tab only. */
  isPromptLocal: boolean
  /** Spaces that the link names and that are not there any more; they are left out. */
  goneSpaces: number
}

export type TestControls = {
  isComparing: boolean
  setComparing: (isComparing: boolean) => void
  /** The chats on the page. */
  variants: readonly TestVariant[]
  of: (variant: TestVariant) => VariantControls
  /** Which of two chats the panel is about; where only one has room, also which is shown. */
  side: TestVariant
  setSide: (side: TestVariant) => void
}

/** Controls of both chats with an agent. */
export function useControls(agent: Agent): TestControls {
  const spaces: KnowledgeSpace[] | undefined = useQuery(api.knowledge.spaces.list, {})
  const known = spaces?.map(({ _id }) => _id)
  const [url, setUrl] = useQueryStates(parsers)
  const [side, setSide] = useState<TestVariant>('a')
  const prompts = {
    a: useDraft(`test-prompt:a:${agent._id}`),
    b: useDraft(`test-prompt:b:${agent._id}`),
  }
  return {
    isComparing: url.compare,
    side: url.compare ? side : 'a',
    setSide,
    setComparing: (isComparing) => void setUrl({ compare: isComparing || null }),
    variants: url.compare ? TEST_VARIANTS : ['a'],
    of: (variant) => {
      const [longPrompt, setLongPrompt] = prompts[variant]
      const linked = url[variant] ?? {}
      const isPromptLocal = linked.systemPrompt === undefined && longPrompt !== ''
      const given = isPromptLocal ? { ...linked, systemPrompt: longPrompt } : linked
      const { controls, gone } = withoutGone(given, known)
      return {
        controls,
        goneSpaces: gone,
        isPromptLocal,
        resetAll: () => {
          setLongPrompt('')
          void setUrl({ [variant]: null })
        },
        set: (key, value) => {
          const { systemPrompt, ...rest } = withControl(controls, key, value, agent)
          const isLong = systemPrompt !== undefined && systemPrompt.length > LINKED_PROMPT_MAX
          setLongPrompt(isLong ? systemPrompt : '')
          const next = isLong || systemPrompt === undefined ? rest : { ...rest, systemPrompt }
          void setUrl({ [variant]: Object.keys(next).length > 0 ? next : null })
        },
      }
    },
  }
}
