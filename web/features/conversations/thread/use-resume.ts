// Resuming the agent.
import { useState } from 'react'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { showChange, withStatus } from '../reply/optimistic-updates.ts'
import { useRetryable } from '../use-retryable.ts'

/** Resumes the agent; ignores a second press while the first is running. `done` is the text of the success toast. */
export function useResume(conversationId: Conversation['_id'], done?: string): { resume: () => void; isBusy: boolean } {
  const { t } = useTranslation('conversations')
  const attempt = useRetryable()
  const mutate = useMutation(api.conversations.resume, {
    hasToast: false,
    optimisticUpdate: (store, args) =>
      showChange(store, { conversationIds: [args.conversationId] }, withStatus('active')),
  })
  const [isBusy, setBusy] = useState(false)
  async function run() {
    setBusy(true)
    await attempt(async () => {
      await mutate({ conversationId })
      toast.success(done ?? t(($) => $.banner.resumed))
    })
    setBusy(false)
  }
  return { resume: () => void run(), isBusy }
}
