// The question field of the tester with five samples. Mod+Enter runs it.
import { useState } from 'react'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { shortcutKeys, useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'

type QuestionFormProps = { space: KnowledgeSpace; question: string; onAsk: (question: string) => void }

/** Use the question as its key, so that the field restarts with another question. */
export function QuestionForm({ space, question, onAsk }: QuestionFormProps) {
  const { t } = useTranslation('rag-tester')
  const [typed, setTyped] = useState(question)
  const [isMissing, setMissing] = useState(false)
  const samples: string[] | undefined = useQuery(api.knowledge.search.samples, { knowledgeSpaceId: space._id })
  function run() {
    const asked = typed.trim()
    setMissing(asked === '')
    if (asked) onAsk(asked)
  }
  useShortcut('send', run)
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <div className="flex items-start gap-2">
        <Field
          className="flex-1"
          label={t(($) => $.try.label)}
          hint={t(($) => $.try.hint, { keys: shortcutKeys('send').join(' + ') })}
          error={isMissing ? t(($) => $.try.required) : undefined}
          isRequired
        >
          <Input
            type="search"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setMissing(false)
            }}
            placeholder={t(($) => $.try.placeholder)}
          />
        </Field>
        <Button type="submit" variant="primary" className="mt-6.5">
          {t(($) => $.try.run)}
        </Button>
      </div>
      {samples && samples.length > 0 && <Samples samples={samples} onAsk={onAsk} />}
    </form>
  )
}

function Samples({ samples, onAsk }: { samples: string[]; onAsk: (question: string) => void }) {
  const { t } = useTranslation('rag-tester')
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-[0.8125rem] text-muted-foreground">{t(($) => $.try.samples)}</span>
      <ul className="contents">
        {samples.map((sample) => (
          <li key={sample} className="max-w-full">
            <Button size="sm" className="max-w-full font-normal" onClick={() => onAsk(sample)}>
              <span className="truncate">{sample}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
