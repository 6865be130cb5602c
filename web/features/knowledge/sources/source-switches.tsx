// A switch for each kind of source.
import { useId } from 'react'
import { KNOWLEDGE_SOURCES, type KnowledgeSource } from '#shared/knowledge/knowledge.ts'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

type SourceSwitchesProps = {
  /** Those to be shown. */
  sources: readonly KnowledgeSource[]
  enabled: readonly KnowledgeSource[]
  /** Those that cannot be switched on here. */
  locked?: readonly KnowledgeSource[]
  onChange: (enabled: KnowledgeSource[]) => void
}

/** What is not shown keeps its state. */
export function SourceSwitches({ sources, enabled, locked = [], onChange }: SourceSwitchesProps) {
  const { t } = useTranslation('knowledge')
  const id = useId()
  const change = (source: KnowledgeSource, isOn: boolean) =>
    onChange(KNOWLEDGE_SOURCES.filter((each) => (each === source ? isOn : enabled.includes(each))))
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-3">
      {sources.map((source) => (
        <li key={source} className="flex items-center gap-2.5">
          <Switch
            id={`${id}-${source}`}
            checked={enabled.includes(source) && !locked.includes(source)}
            disabled={locked.includes(source)}
            onCheckedChange={(isOn) => change(source, isOn)}
          />
          <label htmlFor={`${id}-${source}`}>{t(($) => $.sources.name[source])}</label>
        </li>
      ))}
    </ul>
  )
}
