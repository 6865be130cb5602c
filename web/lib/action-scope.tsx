// A part of the screen that acts on one thing, named by the address: it is dead from the moment something else is asked for until that is drawn.
// A press in between is meant for what comes, and would act on what was there before.
import { createContext, type ReactNode, type SyntheticEvent, use, useCallback } from 'react'
import { cn } from './cn.ts'
import { type Address, isAsked, useIsLeaving } from './sign-in/asked-address.ts'

const Scope = createContext<() => boolean>(() => true)

/** The result says whether what is shown here is still what the person has asked for. Ask when something is pressed, not while rendering. */
export function useIsCurrent(): () => boolean {
  return use(Scope)
}

type ActionScopeProps = {
  /** Recognizes the address of what is shown inside. Stable between renders. */
  isHere: (address: Address) => boolean
  className?: string
  children: ReactNode
}

/** Windows and menus that were opened from inside are dead with it, wherever they stand in the document, and so are its shortcuts. */
export function ActionScope({ isHere, className, children }: ActionScopeProps) {
  const isOuterCurrent = useIsCurrent()
  const isCurrent = useCallback(() => isOuterCurrent() && isAsked(isHere), [isOuterCurrent, isHere])
  const isLeaving = useIsLeaving(isHere)
  const refuse = (event: SyntheticEvent) => {
    if (isCurrent() || isTyped(event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Scope value={isCurrent}>
      <div
        aria-busy={isLeaving || undefined}
        className={cn('aria-busy:[&>*]:opacity-60 [&>*]:transition-opacity [&>*]:delay-150', className)}
        onClickCapture={refuse}
        onPointerDownCapture={refuse}
        onKeyDownCapture={refuse}
        onSubmitCapture={refuse}
        onDropCapture={refuse}
      >
        {children}
      </div>
    </Scope>
  )
}

/** A letter that goes into a field acts on nothing. */
function isTyped(event: Event): boolean {
  return event instanceof KeyboardEvent && event.key !== 'Enter' && !event.ctrlKey && !event.metaKey && !event.altKey
    ? event.target instanceof Element && event.target.closest('input, textarea, [contenteditable="true"]') !== null
    : false
}
