// What is wrong with one field of the settings form.
import { type FieldPath, get, useFormContext } from 'react-hook-form'
import type { AgentForm } from '../../agent-form.rules.ts'

/** The words of the resolver for the field or for the first wrong thing inside it; undefined while all is well. */
export function useFieldError(name: FieldPath<AgentForm>): string | undefined {
  const { errors } = useFormContext<AgentForm>().formState
  return firstMessage(get(errors, name))
}

function firstMessage(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('message' in error && typeof error.message === 'string') return error.message
  for (const inner of Object.values(error)) {
    const message = firstMessage(inner)
    if (message !== undefined) return message
  }
  return undefined
}
