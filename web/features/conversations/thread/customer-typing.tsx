// Says that the customer is typing, for some seconds after that was last heard.
import { useEffect, useState } from 'react'
import { TYPING_SHOWN_MS } from '#shared/limits.ts'
import type { OpenConversation } from '#shared/messaging/conversations.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type CustomerTypingProps = {
  conversation: Pick<OpenConversation, 'customerTypingAt' | 'lastMessage'>
  customerName: string
}

/** Read out when it begins. Typing that a message has ended is over. */
export function CustomerTyping({ conversation, customerName }: CustomerTypingProps) {
  const { t } = useTranslation('conversations')
  const { customerTypingAt, lastMessage } = conversation
  const typedAt = customerTypingAt !== null && customerTypingAt > (lastMessage?.at ?? 0) ? customerTypingAt : null
  const isTyping = useLasting(typedAt)
  return (
    <p role="status" className="px-4 text-muted-foreground text-xs sm:px-6">
      {isTyping && t(($) => $.page.customerTyping, { name: customerName })}
    </p>
  )
}

/** Whether an instant is not long past; what is known when the page opens counts by the clock, what comes later from when it came. */
function useLasting(at: number | null): boolean {
  const [heard, setHeard] = useState<number | null>(null)
  useEffect(() => {
    if (at === null || Date.now() - at > TYPING_SHOWN_MS) return
    setHeard(at)
    const timer = setTimeout(() => setHeard(null), TYPING_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [at])
  return at !== null && heard === at
}
