// The calls of the prompt generator.
import { useCallback, useState } from 'react'
import type { PromptLanguage } from '#shared/agents/agents.ts'
import type { Id } from '#shared/ids.ts'
import { api } from '#web/api.ts'
import { useAction, useMutation } from '#web/lib/server/convex.ts'

/** What the generator is asked for. */
export type Wish = { description: string; language: PromptLanguage }

/** Starts and discards drafts; their text arrives by the live query. Failures are shown in a toast. */
export function usePromptWriter(agentId: Id<'agents'>) {
  const [isWriting, setWriting] = useState(false)
  const generate = useAction(api.agents.prompts.generate)
  const remove = useMutation(api.agents.prompts.discard)
  const write = useCallback(
    async (wish: Wish) => {
      setWriting(true)
      await generate({ agentId, ...wish }).catch(() => undefined)
      setWriting(false)
    },
    [agentId, generate],
  )
  const discard = useCallback(async () => {
    await remove({ agentId }).catch(() => undefined)
  }, [agentId, remove])
  return { isWriting, write, discard }
}
