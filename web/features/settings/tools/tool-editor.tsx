// The form of a tool. What is wrong is shown at its field before the server is asked.
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { hasBody } from '#shared/tools/tool-rules.ts'
import {
  BOUND_SOURCES,
  type HttpTool,
  TOOL_APPROVALS,
  TOOL_METHODS,
  type ToolApprovalRule,
  type ToolMethod,
} from '#shared/tools/tools.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { UnsavedGuard } from '#web/components/unsaved-guard.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { HeaderFields } from './header-fields.tsx'
import { formOf, NEW_TOOL, type ToolForm, type ToolFormErrors, type ToolFormKey, toolOf } from './tool-form.rules.ts'

const NUMBERS = ['timeoutSeconds', 'maxKilobytes', 'perTurn', 'perDay'] as const
type TextKey = 'name' | 'title' | 'description' | 'url' | 'parameters' | 'body' | 'fields'

/** Without a tool it makes a new one. */
export function ToolEditor({ tool }: { tool: HttpTool | undefined }) {
  const { t } = useTranslation('tools')
  const start = tool ? formOf(tool) : NEW_TOOL
  const [form, setForm] = useState(start)
  const [errors, setErrors] = useState<ToolFormErrors>({})
  const save = useSave(tool)
  const isDirty = JSON.stringify(form) !== JSON.stringify(start)
  const set = (change: Partial<ToolForm>) => setForm({ ...form, ...change })
  const errorOf = (key: ToolFormKey) => {
    const problem = errors[key]
    return problem && t(($) => $.problem[problem])
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = toolOf(form)
    setErrors('errors' in read ? read.errors : {})
    if ('tool' in read) void save.run(read.tool)
  }
  const field = (key: TextKey) => ({ label: t(($) => $.form[key]), hint: t(($) => $.hint[key]), error: errorOf(key) })
  const control = (key: TextKey) => ({
    value: form[key],
    onChange: (event: { target: { value: string } }) => set({ [key]: event.target.value }),
  })
  const code = { spellCheck: false, autoComplete: 'off', className: 'font-mono text-[0.8125rem]' }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-6">
      <UnsavedGuard isDirty={isDirty && !save.isBusy} />
      <CardSection title={t(($) => $.form.about)}>
        <div className="flex flex-col gap-5">
          <Field {...field('name')} isRequired>
            <Input {...control('name')} {...code} />
          </Field>
          <Field {...field('description')} isRequired>
            <Textarea {...control('description')} rows={2} />
          </Field>
          <Field label={t(($) => $.form.method)} hint={t(($) => $.hint.method)}>
            <Select
              value={form.method}
              onValueChange={(method) => set({ method: method as ToolMethod })}
              options={TOOL_METHODS.map((value) => ({ value, label: value }))}
            />
          </Field>
          <Field label={t(($) => $.form.approval)} hint={t(($) => $.hint.approval)} error={errorOf('approval')}>
            <Select
              value={form.approval}
              onValueChange={(approval) => set({ approval: approval as ToolApprovalRule })}
              options={TOOL_APPROVALS.map((value) => ({ value, label: t(($) => $.approval[value]) }))}
            />
          </Field>
          {form.approval !== 'none' && (
            <Field {...field('title')} isRequired>
              <Input {...control('title')} />
            </Field>
          )}
          <Field {...field('url')} isRequired>
            <Input {...control('url')} {...code} inputMode="url" />
          </Field>
          <HeaderFields headers={form.headers} error={errorOf('headers')} onChange={(headers) => set({ headers })} />
        </div>
      </CardSection>
      <CardSection title={t(($) => $.form.arguments)}>
        <div className="flex flex-col gap-5">
          <Field {...field('parameters')}>
            <Textarea {...control('parameters')} {...code} rows={8} />
          </Field>
          <fieldset className="flex flex-col gap-4">
            <legend className="font-medium">{t(($) => $.form.bound)}</legend>
            <p className="mb-3 text-[0.8125rem] text-muted-foreground">{t(($) => $.hint.bound)}</p>
            {BOUND_SOURCES.map((source, index) => (
              <Field
                key={source}
                label={t(($) => $.source[source])}
                error={index === 0 ? errorOf('bound') : undefined}
                isOptional
              >
                <Input
                  value={form.bound[source]}
                  onChange={(event) => set({ bound: { ...form.bound, [source]: event.target.value } })}
                  {...code}
                />
              </Field>
            ))}
          </fieldset>
          {hasBody(form.method) && (
            <Field {...field('body')}>
              <Textarea {...control('body')} {...code} rows={5} />
            </Field>
          )}
          <Field {...field('fields')} isOptional>
            <Textarea {...control('fields')} {...code} rows={4} />
          </Field>
        </div>
      </CardSection>
      <CardSection title={t(($) => $.form.limits)}>
        <div className="grid gap-5 sm:grid-cols-2">
          {NUMBERS.map((key) => (
            <Field key={key} label={t(($) => $.form[key])} hint={t(($) => $.hint[key])} error={errorOf(key)}>
              <NumberInput value={form[key]} onValueChange={(value) => set({ [key]: value })} />
            </Field>
          ))}
        </div>
      </CardSection>
      <div className="flex justify-end">
        <Button type="submit" variant="primary" isBusy={save.isBusy}>
          {tool ? t(($) => $.form.save) : t(($) => $.form.create)}
        </Button>
      </div>
    </form>
  )
}

/** Saves, says so, and leads to a new tool. Failures are reported in a toast. */
function useSave(tool: HttpTool | undefined) {
  const { t } = useTranslation('tools')
  const navigate = useNavigate()
  const create = useMutation(api.tools.create)
  const update = useMutation(api.tools.update)
  const [isBusy, setBusy] = useState(false)
  const run = async (definition: Parameters<typeof create>[0]['tool']) => {
    setBusy(true)
    try {
      if (tool) await update({ toolId: tool._id, tool: definition })
      else void navigate(paths.tool((await create({ tool: definition })).toolId), { replace: true })
      toast.success(t(($) => $.form.saved))
    } catch {
      // reported in a toast
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, run }
}
