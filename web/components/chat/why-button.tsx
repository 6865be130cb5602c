// Opens the record of why a message was answered as it was, or not.

import { CircleHelp } from 'lucide-react'
import type { Message } from '#shared/messaging/conversations.ts'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

type WhyButtonProps = { message: Message; onWhy: ((message: Message) => void) | undefined }

/** Renders nothing for a message that no turn produced, or where the reader may not see the record. */
export function WhyButton({ message, onWhy }: WhyButtonProps) {
  const { t } = useTranslation('why')
  if (!message.turnId || !onWhy) return null
  return (
    <button
      type="button"
      onClick={() => onWhy(message)}
      className="min-h-6 rounded-sm text-muted-foreground text-xs underline decoration-dotted underline-offset-2 hover:text-foreground pointer-coarse:min-h-11"
    >
      {t(($) => $.open)}
    </button>
  )
}

/** The same next to a message of the customer, whether it was answered or not. */
export function WhyMessageButton({ message, onWhy }: WhyButtonProps) {
  const { t } = useTranslation('why')
  if (message.author !== 'customer' || !onWhy) return null
  const name = t(($) => $.ofMessage)
  return (
    <Button variant="ghost" size="icon-sm" title={name} aria-label={name} onClick={() => onWhy(message)}>
      <CircleHelp />
    </Button>
  )
}
