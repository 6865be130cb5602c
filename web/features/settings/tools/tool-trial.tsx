// A trial of a tool: values for its arguments, a real call, and what came, which is kept as the example.
import { type FormEvent, useState } from 'react'
import type { HttpTool, ToolArguments, ToolExample } from '#shared/tools/tools.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { formatDuration } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'

/** The kept tool is tried, not what is typed in the form. */
export function ToolTrial({ tool }: { tool: HttpTool }) {
  const { t } = useTranslation('tools')
  const test = useAction(api.tools.test)
  const names = Object.keys(tool.parameters.properties)
  const [values, setValues] = useState<Record<string, string>>(() => startOf(tool))
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const bound = Object.fromEntries(tool.bound.map(({ argument }) => [argument, values[argument] ?? '']))
    await test({ toolId: tool._id, arguments: argumentsOf(tool, values), bound }).catch(() => undefined) // reported in a toast
    setBusy(false)
  }
  const control = (name: string) => ({
    value: values[name] ?? '',
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
    autoComplete: 'off',
  })
  return (
    <CardSection title={t(($) => $.trial.title)} description={t(($) => $.trial.description)}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {names.map((name) => (
          <Field key={name} label={name}>
            <Input {...control(name)} />
          </Field>
        ))}
        {tool.bound.map(({ argument, from }) => (
          <Field
            key={argument}
            label={argument}
            hint={t(($) => $.trial.stands, { source: t(($$) => $$.source[from]) })}
          >
            <Input {...control(argument)} />
          </Field>
        ))}
        <Button type="submit" className="self-start" isBusy={isBusy}>
          {t(($) => $.trial.run)}
        </Button>
      </form>
      {tool.example && <Example example={tool.example} />}
    </CardSection>
  )
}

function Example({ example }: { example: ToolExample }) {
  const { t } = useTranslation('tools')
  const { t: why } = useTranslation('why')
  const { failure, status, durationMs, at, result } = example
  return (
    <div className="mt-5 flex flex-col gap-2" role="status">
      <p className="flex flex-wrap items-center gap-2 text-[0.8125rem] text-muted-foreground">
        <Badge tone={failure ? 'destructive' : 'success'}>
          {failure ? t(($) => $.trial.failed) : t(($) => $.trial.worked)}
        </Badge>
        {status !== null && <span>{why(($) => $.tools.status, { status })}</span>}
        <span>{formatDuration(durationMs)}</span>
        <DateTime at={at} />
      </p>
      {failure && <p>{why(($) => $.tools.failure[failure])}</p>}
      <pre className="max-h-80 overflow-auto whitespace-pre-wrap break-words rounded-lg bg-muted p-3 text-[0.8125rem]">
        {result}
      </pre>
    </div>
  )
}

function startOf({ example }: HttpTool): Record<string, string> {
  const given = Object.entries(example?.arguments ?? {}).map(([name, value]) => [name, `${value}`])
  return { ...Object.fromEntries(given), ...example?.bound }
}

/** What is typed, as the type of each argument; empty: left out. */
function argumentsOf({ parameters }: HttpTool, values: Record<string, string>): ToolArguments {
  const given = Object.entries(parameters.properties).filter(([name]) => (values[name] ?? '') !== '')
  return Object.fromEntries(
    given.map(([name, { type }]) => {
      const text = values[name] ?? ''
      if (type === 'boolean') return [name, text === 'true']
      return [name, type === 'string' ? text : Number(text)]
    }),
  )
}
