// The score from which results of a space count as an answer. Below it agents follow their settings instead of guessing.
import { useState } from 'react'
import { Link } from 'react-router'
import type { Enough, KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

const PERCENT_MAX = 100

/** The form keeps what is typed until it is saved, and resets when another user has saved. */
export function SpaceEnough({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  return (
    <Card className="flex flex-col gap-4 p-4">
      <div>
        <h2 className="font-medium">{t(($) => $.enough.title)}</h2>
        <p className="text-[0.8125rem] text-muted-foreground">
          {t(($) => $.enough.hint)}{' '}
          <Link to="?part=search" className="underline underline-offset-2">
            {t(($) => $.enough.tryIt)}
          </Link>
        </p>
      </div>
      <EnoughForm key={`${space.enough.words} ${space.enough.meaning}`} space={space} />
    </Card>
  )
}

function EnoughForm({ space: { _id: knowledgeSpaceId, enough } }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const update = useMutation(api.knowledge.spaces.update)
  const saved = { words: toPercent(enough.words), meaning: toPercent(enough.meaning) }
  const [words, setWords] = useState<number | null>(saved.words)
  const [meaning, setMeaning] = useState<number | null>(saved.meaning)
  const isChanged = words !== saved.words || meaning !== saved.meaning
  async function save() {
    if (!isPercent(words) || !isPercent(meaning)) return
    const next: Enough = { words: words / PERCENT_MAX, meaning: meaning / PERCENT_MAX }
    await update({ knowledgeSpaceId, patch: { enough: next } })
    toast.success(t(($) => $.enough.saved))
  }
  return (
    <form
      noValidate
      className="flex flex-wrap items-start gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save().catch(() => undefined) // reported in a toast
      }}
    >
      <Field
        className="min-w-56 flex-1"
        label={t(($) => $.enough.words)}
        hint={t(($) => $.enough.wordsHint)}
        error={isPercent(words) ? undefined : t(($) => $.enough.range)}
      >
        <NumberInput value={words} onValueChange={setWords} unit="%" className="w-32" />
      </Field>
      <Field
        className="min-w-56 flex-1"
        label={t(($) => $.enough.meaning)}
        hint={t(($) => $.enough.meaningHint)}
        error={isPercent(meaning) ? undefined : t(($) => $.enough.range)}
      >
        <NumberInput value={meaning} onValueChange={setMeaning} unit="%" className="w-32" />
      </Field>
      {isChanged && (
        <Button type="submit" className="mt-6.5" disabled={!isPercent(words) || !isPercent(meaning)}>
          {t(($) => $.enough.save)}
        </Button>
      )}
    </form>
  )
}

function toPercent(share: number): number {
  return Math.round(share * PERCENT_MAX * 10) / 10
}

function isPercent(value: number | null): value is number {
  return value !== null && value >= 0 && value <= PERCENT_MAX
}
