// What an agent has offered below a message for the customer to press.
import { useState } from 'react'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

type MessageChoicesProps = {
  choices: string[]
  /** Left out: they cannot be pressed here. Rejects when it was not taken: then another press counts. */
  onChoose?: ((choice: string) => Promise<unknown>) | undefined
}

/** As the customer sees them. Of several presses the first counts. */
export function MessageChoices({ choices, onChoose }: MessageChoicesProps) {
  const { t } = useTranslation('conversations')
  const [isChosen, setChosen] = useState(false)
  function choose(choice: string) {
    setChosen(true)
    onChoose?.(choice).catch(() => setChosen(false))
  }
  if (choices.length === 0) return null
  return (
    <ul aria-label={t(($) => $.message.choices)} className="flex max-w-full flex-wrap gap-1.5">
      {choices.map((choice) => (
        <li key={choice} className="max-w-full">
          {onChoose ? (
            <Button
              size="sm"
              className="h-auto min-h-8 max-w-full whitespace-normal break-words rounded-full"
              disabled={isChosen}
              onClick={() => choose(choice)}
            >
              {choice}
            </Button>
          ) : (
            <span className="block break-words rounded-full border border-border px-3 py-1 text-sm">{choice}</span>
          )}
        </li>
      ))}
    </ul>
  )
}
