// What a tester had changed for one answer, by the names of the controls.
import { CHANNEL_NAMES, channelName } from '#shared/channels/manifests.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'

type WhyOverridesProps = {
  /** Path → value, as the record has them. */
  overrides: Record<string, unknown>
  /** What people call the model of this name. */
  modelLabel: (name: string) => string
}

/** One line each; what no control sets goes by its name among the versions' settings. Needs texts `versions`. */
export function WhyOverrides({ overrides, modelLabel }: WhyOverridesProps) {
  const { t } = useTranslation('why')
  const nameOf = useNames()
  const textOf = useValues(modelLabel)
  return (
    <div className="text-muted-foreground text-xs">
      <p>{t(($) => $.overrides)}</p>
      <ul>
        {Object.entries(overrides).map(([path, value]) => (
          <li key={path} className="truncate" title={textOf(path, value)}>
            {nameOf(path)}: {textOf(path, value)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function useNames(): (path: string) => string {
  const { t } = useTranslation('test-chat')
  const { t: settings, i18n } = useTranslation('versions')
  const { t: common } = useTranslation('common')
  const names: Partial<Record<string, string>> = {
    model: t(($) => $.model.model),
    temperature: t(($) => $.model.temperature),
    systemPrompt: t(($) => $.model.prompt),
    'knowledge.isOn': t(($) => $.knowledge.isOn),
    'knowledge.spaceIds': t(($) => $.knowledge.spaces),
    applyRules: t(($) => $.runtime.applyRules),
    'simulate.channel': t(($) => $.runtime.channel),
    'replies.splitByParagraphs': t(($) => $.runtime.byParagraphs),
    'simulate.at': t(($) => $.runtime.at),
    'simulate.contact.name': t(($) => $.runtime.name),
    'simulate.contact.language': t(($) => $.runtime.language),
    'context.maxMessages': t(($) => $.runtime.maxMessages),
    'context.maxTokens': t(($) => $.runtime.maxTokens),
    'tools.webSearch': t(($) => $.tools.webSearch.label),
    'tools.tables': t(($) => $.tools.tables.label),
    'choices.isOn': t(($) => $.tools.choices.label),
    'handoff.byAgent': t(($) => $.tools.byAgent.label),
    'functions.tools': t(($) => $.tools.added),
    'functions.mcpTools': t(($) => $.tools.ofServers),
  }
  return (path) => {
    const key = `path.${path.replaceAll('.', '_')}`
    const isSetting = i18n.exists(key, { ns: 'versions' })
    return names[path] ?? (isSetting ? settings(key as never) : common(($) => $.untold))
  }
}

function useValues(modelLabel: WhyOverridesProps['modelLabel']): (path: string, value: unknown) => string {
  const { t } = useTranslation('why')
  const { timeZone } = useOrganization()
  return (path, value) => {
    if (typeof value === 'boolean') return value ? t(($) => $.yes) : t(($) => $.no)
    if (path === 'knowledge.spaceIds') {
      return Array.isArray(value) ? t(($) => $.spaces, { count: value.length }) : t(($) => $.ownSpaces)
    }
    if (typeof value !== 'string') return JSON.stringify(value) ?? ''
    if (path === 'model') return modelLabel(value)
    if (path === 'simulate.channel') {
      const channel = CHANNEL_NAMES.find((each) => each === value)
      return channel ? channelName(channel, currentLanguage()) : value
    }
    if (path === 'simulate.contact.language') {
      return new Intl.DisplayNames(currentLanguage(), { type: 'language' }).of(value) ?? value
    }
    if (path === 'simulate.at') return `${formatDateTime(Date.parse(value), 'medium', timeZone)} (${timeZone})`
    return value
  }
}
