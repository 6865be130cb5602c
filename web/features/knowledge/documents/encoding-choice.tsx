// A document whose encoding is not sure: how its text reads in each likely one, and the choice of a person.
import { useState } from 'react'
import type { EncodingChoice as Choice, KnowledgeDocument } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'

type EncodingChoiceProps = { document: Pick<KnowledgeDocument, '_id' | 'name'>; choices: Choice[] }

/** The likeliest is chosen beforehand. */
export function EncodingChoice({ document, choices }: EncodingChoiceProps) {
  const { t } = useTranslation('knowledge')
  const choose = useMutation(api.knowledge.documents.chooseEncoding)
  const [encoding, setEncoding] = useState(choices[0]?.encoding ?? '')
  if (choices.length === 0) return null
  return (
    <div className="relative z-10 mt-2 flex max-w-prose flex-col items-start gap-3">
      <RadioGroup
        label={t(($) => $.encoding.label, { name: document.name })}
        value={encoding}
        onValueChange={setEncoding}
        options={choices.map(({ encoding: value, preview }) => ({
          value,
          label: <span className="line-clamp-2 break-words">{preview}</span>,
          hint: value,
        }))}
      />
      <Button
        size="sm"
        onClick={() => void choose({ documentId: document._id, encoding }).catch(() => undefined)}
        aria-label={t(($) => $.encoding.chooseFor, { name: document.name })}
      >
        {t(($) => $.encoding.choose)}
      </Button>
    </div>
  )
}
