// What an agent has offered below a message for the customer to press.
import { useTranslation } from '#web/lib/i18n.ts'

/** As the customer sees them, but not to be pressed here. */
export function MessageChoices({ choices }: { choices: string[] }) {
  const { t } = useTranslation('conversations')
  if (choices.length === 0) return null
  return (
    <ul aria-label={t(($) => $.message.choices)} className="flex max-w-full flex-wrap gap-1.5">
      {choices.map((choice) => (
        <li key={choice} className="max-w-full break-words rounded-full border border-border px-3 py-1 text-sm">
          {choice}
        </li>
      ))}
    </ul>
  )
}
