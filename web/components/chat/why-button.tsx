// Opens what the turn behind a message went through.
import type { Message } from '#shared/conversations.ts'
import type { Id } from '#shared/ids.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type WhyButtonProps = { message: Message; onWhy: ((turnId: Id<'turns'>) => void) | undefined }

/** Nothing for a message that no turn has led to, or where nobody is offered to see it. */
export function WhyButton({ message, onWhy }: WhyButtonProps) {
  const { t } = useTranslation('why')
  const { turnId } = message
  if (!turnId || !onWhy) return null
  return (
    <button
      type="button"
      onClick={() => onWhy(turnId)}
      className="min-h-6 rounded-sm text-muted-foreground text-xs underline decoration-dotted underline-offset-2 hover:text-foreground pointer-coarse:min-h-11"
    >
      {t(($) => $.open)}
    </button>
  )
}
