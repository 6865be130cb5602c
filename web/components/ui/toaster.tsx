// The corner where toasts appear. Say things with `toast` of #web/lib/toast.ts.
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Toaster as Sonner } from 'sonner'
import { TOAST_MAX_VISIBLE, TOAST_MS } from '#shared/limits.ts'
import { useTheme } from '#web/lib/browser/theme.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** On phones there is a bar of 3.75rem for the thumb at the bottom. */
const ABOVE_THE_BAR = 'calc(4.5rem + env(safe-area-inset-bottom))'

/** Bottom right, four seconds, at most three, 356 px wide; pauses while hovered, focused or in a hidden tab. */
export function Toaster() {
  const { t } = useTranslation()
  const { theme } = useTheme()
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => pauseOnFocus(frame.current), [])
  return (
    <div ref={frame}>
      <Sonner
        position="bottom-right"
        theme={theme}
        duration={TOAST_MS}
        visibleToasts={TOAST_MAX_VISIBLE}
        containerAriaLabel={t(($) => $.state.notifications)}
        closeButton
        mobileOffset={{ bottom: ABOVE_THE_BAR }}
        icons={{
          success: <CircleCheck aria-hidden="true" className="size-4.5 text-success-soft-foreground" />,
          error: <CircleAlert aria-hidden="true" className="size-4.5 text-destructive-soft-foreground" />,
        }}
        toastOptions={{
          closeButtonAriaLabel: t(($) => $.action.close),
          classNames: {
            toast: '!pe-10 !rounded-xl !border-border !bg-surface !text-foreground !shadow-raised !font-sans !text-sm',
            description: '!text-muted-foreground',
            actionButton: '!bg-primary !text-primary-foreground !rounded-md !h-7',
            closeButton:
              '!top-3 !right-2.5 !left-auto ![transform:none] !size-6 !rounded-md !border-0 !bg-transparent !text-muted-foreground hover:!bg-accent hover:!text-foreground',
          },
        }}
      />
    </div>
  )
}

/**
 * sonner pauses on hover and in a hidden tab, but not while a toast has the focus: focus is translated into the mouse
 * events that it understands.
 */
function pauseOnFocus(frame: HTMLElement | null): (() => void) | undefined {
  if (!frame) return undefined
  const list = (event: FocusEvent) => (event.target as Element).closest('[data-sonner-toaster]')
  const pause = (event: FocusEvent) => list(event)?.dispatchEvent(new MouseEvent('mousemove', { bubbles: true }))
  const resume = (event: FocusEvent) => {
    const toaster = list(event)
    if (!toaster || toaster.contains(event.relatedTarget as Node | null)) return
    toaster.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }))
  }
  frame.addEventListener('focusin', pause)
  frame.addEventListener('focusout', resume)
  return () => {
    frame.removeEventListener('focusin', pause)
    frame.removeEventListener('focusout', resume)
  }
}
