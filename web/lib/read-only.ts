// Whether what can be typed, picked or pressed below only shows what is set.
import { createContext, use } from 'react'

/** Fields and buttons below follow it, except what folds, copies or leads to another page. */
export const ReadOnly = createContext(false)

/** Whether a field or a button is disabled: by itself, or because all around it is. */
export function useDisabled(isDisabled: boolean | undefined): boolean {
  return use(ReadOnly) || isDisabled === true
}
