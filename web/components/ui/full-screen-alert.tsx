// A message that covers the whole window until its cause is gone. A native dialog: it must work when nothing more can be loaded.
import { type ReactNode, useEffect, useId, useRef } from 'react'

type FullScreenAlertProps = { icon: ReactNode; title: string; description: string; children: ReactNode }

/** Takes the focus and gives it back; Esc does not close it, and what is below cannot be reached. `children` are the actions. */
export function FullScreenAlert({ icon, title, description, children }: FullScreenAlertProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (!element?.open) element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-description`}
      onCancel={(event) => event.preventDefault()}
      className="fade-in-0 fixed inset-0 m-0 size-full max-h-none max-w-none animate-in flex-col items-center justify-center gap-6 bg-background/95 p-6 text-center text-foreground outline-none backdrop-blur-sm open:flex"
    >
      <div className="flex size-14 items-center justify-center rounded-2xl bg-muted text-muted-foreground">{icon}</div>
      <div>
        <h2 id={`${id}-title`} className="font-semibold text-xl">
          {title}
        </h2>
        <p id={`${id}-description`} className="mt-2 max-w-md text-balance text-muted-foreground">
          {description}
        </p>
      </div>
      {children}
    </dialog>
  )
}
