// A message that covers the whole window until its cause is gone.
import { AlertDialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

type FullScreenAlertProps = { icon: ReactNode; title: string; description: string; children: ReactNode }

/** Takes the focus and gives it back; Esc does not close it. `children` are the actions, the first has the focus. */
export function FullScreenAlert({ icon, title, description, children }: FullScreenAlertProps) {
  return (
    <Primitive.Root open>
      <Primitive.Portal>
        <Primitive.Content className="fade-in-0 fixed inset-0 z-60 flex animate-in flex-col items-center justify-center gap-6 bg-background/95 p-6 text-center outline-none backdrop-blur-sm">
          <div className="flex size-14 items-center justify-center rounded-2xl bg-muted text-muted-foreground">
            {icon}
          </div>
          <div>
            <Primitive.Title className="font-semibold text-xl">{title}</Primitive.Title>
            <Primitive.Description className="mt-2 max-w-md text-balance text-muted-foreground">
              {description}
            </Primitive.Description>
          </div>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
