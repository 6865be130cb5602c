// Edits an agent that others may edit too: changes are based on the version that was read, and no save is lost.
//   nothing changed here   a newer version replaces what is shown
//   changed here           the newer version waits for the user's choice; the server refuses a save over it as well
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { type FieldErrors, type UseFormReturn, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { type Agent, agentPatch } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import {
  type AgentForm,
  type AgentFormKey,
  changesOf,
  clashingKeys,
  formOf,
  isSame,
  rebase,
} from '../agent-form.rules.ts'
import { useIssueText } from '../use-issue-text.ts'

/** The values of the form, all fields present. */
const agentForm = z.required(z.omit(agentPatch, { functions: true }))

type SaveMode = 'save' | 'draft' | 'publish'

export type AgentEditing = {
  form: UseFormReturn<AgentForm>
  /** Saves the changes; a draft does not answer customers. */
  save: (mode: 'save' | 'draft') => void
  discard: () => void
  /** Publishes the newest version as it is saved. */
  publish: () => Promise<void>
  /** Set when another user has saved since, until the user chooses. */
  conflict: { keys: AgentFormKey[]; keepMine: () => void; loadTheirs: () => void } | null
}

/** @param onInvalid receives the keys of the form that hold errors, after validation */
export function useAgentForm(agent: Agent, onInvalid: (keys: string[]) => void): AgentEditing {
  const { t } = useTranslation('agents')
  const update = useMutation(api.agents.update, { hasToast: false })
  const publishVersion = useMutation(api.agents.versions.publish, { hasToast: false })
  const error = useIssueText()
  const [base, setBase] = useState(agent)
  const [isAsking, setAsking] = useState(false)
  const form = useForm<AgentForm>({
    resolver: zodResolver(agentForm, { error }),
    defaultValues: formOf(agent),
    shouldFocusError: false,
  })
  const { isDirty, isSubmitting } = form.formState

  const adopt = (next: Agent) => {
    form.reset(formOf(next))
    setBase(next)
    setAsking(false)
  }
  const putMineOn = (next: Agent) => {
    const mine = rebase(formOf(base), form.getValues(), formOf(next))
    form.reset(formOf(next))
    form.reset(mine, { keepDefaultValues: true })
    setBase(next)
    setAsking(false)
  }
  useEffect(() => {
    const isNewer = agent !== base && agent.version >= base.version && agent.updatedAt >= base.updatedAt
    if (!isNewer || isSubmitting) return
    if (isSame(formOf(agent), formOf(base))) setBase(agent)
    else if (!isDirty) adopt(agent)
    else if (agent.version === base.version) putMineOn(agent)
  })

  async function send(mode: SaveMode, call: () => Promise<Agent>): Promise<void> {
    try {
      adopt(await call())
      toast.success(t(($) => $.save.done[mode]))
    } catch (failure) {
      if (describeError(failure).code === 'conflict') setAsking(true)
      else toast.failure(failure)
    }
  }
  async function save(mode: 'save' | 'draft'): Promise<void> {
    if (!isDirty || isSubmitting) return
    let wrong: string[] = []
    await form.handleSubmit(
      async (entry) => {
        if (agent.version > base.version) return setAsking(true)
        const patch = changesOf(formOf(base), entry)
        await send(mode, () => update({ id: agent._id, patch, baseVersion: base.version, isDraft: mode === 'draft' }))
      },
      (errors: FieldErrors<AgentForm>) => {
        wrong = Object.keys(errors)
      },
    )()
    if (wrong.length > 0) onInvalid(wrong)
  }

  return {
    form,
    save: (mode) => void save(mode),
    discard: () => adopt(agent),
    publish: () => send('publish', () => publishVersion({ agentId: agent._id, number: base.version })),
    conflict: isAsking
      ? {
          keys: clashingKeys(formOf(base), form.getValues(), formOf(agent)),
          keepMine: () => putMineOn(agent),
          loadTheirs: () => adopt(agent),
        }
      : null,
  }
}
