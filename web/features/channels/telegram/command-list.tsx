// The commands of a bot: those that every bot knows, and its own ones, which can be added, changed and taken away.
import { Plus, Trash2 } from 'lucide-react'
import { BUILT_IN_COMMANDS, type CustomCommand } from '#shared/channels/connection-settings.ts'
import { COMMAND_DESCRIPTION_MAX, COMMANDS_MAX, NOTICE_MAX } from '#shared/limits.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { isWrong } from './settings.rules.ts'

const ACTIONS = ['text', 'handoff'] as const
const LANGUAGES = ['ru', 'en'] as const
const COMMAND_LENGTH = 32
const NEW: CustomCommand = { command: '', description: { ru: '', en: '' }, action: 'text', text: '' }

type CommandListProps = {
  commands: CustomCommand[]
  onChange: (commands: CustomCommand[]) => void
  /** Places of what is wrong in the settings. */
  wrong: string[]
}

/** In the order in which customers are offered them. */
export function CommandList({ commands, onChange, wrong }: CommandListProps) {
  const { t } = useTranslation('channels')
  return (
    <section aria-labelledby="commands" className="flex flex-col gap-4">
      <div>
        <h3 id="commands" className="font-medium">
          {t(($) => $.telegramSettings.commands.title)}
        </h3>
        <p className="max-w-prose text-[0.8125rem] text-muted-foreground leading-5">
          {t(($) => $.telegramSettings.commands.body)}
        </p>
      </div>
      <BuiltInCommands />
      {commands.map((command, at) => (
        <CommandFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a command has no other name while it is being typed
          key={at}
          at={at}
          command={command}
          onChange={(changed) => onChange(commands.with(at, changed))}
          onRemove={() => onChange(commands.toSpliced(at, 1))}
          wrong={wrong}
        />
      ))}
      {commands.length < COMMANDS_MAX && (
        <Button className="self-start" onClick={() => onChange([...commands, NEW])}>
          <Plus aria-hidden="true" />
          {t(($) => $.telegramSettings.commands.add)}
        </Button>
      )}
    </section>
  )
}

function BuiltInCommands() {
  const { t } = useTranslation('channels')
  return (
    <table className="w-full text-start">
      <thead className="sr-only">
        <tr>
          <th scope="col">{t(($) => $.telegramSettings.commands.name)}</th>
          <th scope="col">{t(($) => $.telegramSettings.commands.action)}</th>
        </tr>
      </thead>
      <tbody>
        {BUILT_IN_COMMANDS.map((name) => (
          <tr key={name} className="border-border border-b last:border-0">
            <th scope="row" className="w-24 py-2 pe-4 text-start align-top font-normal">
              <code className="font-mono text-[0.8125rem]">/{name}</code>
            </th>
            <td className="py-2">{t(($) => $.telegramSettings.commands.builtIn[name])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type CommandFieldsProps = {
  at: number
  command: CustomCommand
  onChange: (command: CustomCommand) => void
  onRemove: () => void
  wrong: string[]
}

function CommandFields({ at, command, onChange, onRemove, wrong }: CommandFieldsProps) {
  const { t } = useTranslation('channels')
  const number = at + 1
  const change = (patch: Partial<CustomCommand>) => onChange({ ...command, ...patch })
  const errorOf = (name: 'command' | 'description' | 'text') =>
    isWrong(wrong, `commands.${at}.${name}`) ? t(($) => $.telegramSettings.commands.errors[name]) : undefined
  return (
    <fieldset className="flex min-w-0 flex-col gap-4 rounded-lg border border-border p-4">
      <legend className="sr-only">{t(($) => $.telegramSettings.commands.number, { number })}</legend>
      <div className="grid grid-cols-[1fr_auto] items-start gap-4 sm:grid-cols-[1fr_1fr_auto]">
        <Field label={t(($) => $.telegramSettings.commands.name)} error={errorOf('command')} isRequired>
          <Input
            autoComplete="off"
            spellCheck={false}
            maxLength={COMMAND_LENGTH}
            placeholder="hours"
            value={command.command}
            onChange={(event) => change({ command: event.target.value.replace(/^\/+/, '').toLowerCase() })}
          />
        </Field>
        <Field
          label={t(($) => $.telegramSettings.commands.action)}
          className="order-last col-span-2 sm:order-none sm:col-span-1"
        >
          <Select
            value={command.action}
            onValueChange={(action) => change({ action: action === 'handoff' ? 'handoff' : 'text' })}
            options={ACTIONS.map((value) => ({ value, label: t(($) => $.telegramSettings.commands.actions[value]) }))}
          />
        </Field>
        <Button
          variant="ghost"
          size="icon-sm"
          className="mt-6.5"
          aria-label={t(($) => $.telegramSettings.commands.remove, { number })}
          onClick={onRemove}
        >
          <Trash2 aria-hidden="true" />
        </Button>
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {LANGUAGES.map((language) => (
          <Field
            key={language}
            label={t(($) => $.telegramSettings.commands.description[language])}
            error={language === 'ru' ? errorOf('description') : undefined}
          >
            <Input
              lang={language}
              maxLength={COMMAND_DESCRIPTION_MAX}
              value={command.description[language]}
              onChange={(event) => change({ description: { ...command.description, [language]: event.target.value } })}
            />
          </Field>
        ))}
      </div>
      <Field label={t(($) => $.telegramSettings.commands.texts[command.action])} error={errorOf('text')}>
        <Textarea
          className="max-h-48"
          maxLength={NOTICE_MAX}
          value={command.text}
          onChange={(event) => change({ text: event.target.value })}
        />
      </Field>
    </fieldset>
  )
}
