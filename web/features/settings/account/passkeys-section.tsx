// Passkeys of the account.
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { HttpError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { forgetFetched, useFetched } from '#web/lib/server/query-client.ts'
import {
  addPasskey,
  hasPasskeys,
  isBrokenOff,
  listPasskeys,
  PASSKEYS_KEY,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '#web/lib/sign-in/passkeys.ts'
import { fetchTwoStep, proveIdentity, TWO_STEP_KEY } from '#web/lib/sign-in/two-step.ts'
import { toast } from '#web/lib/toast.ts'
import { OneFieldForm, PasswordForm } from './one-field-form.tsx'

type Task = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey }

/** Says so where the browser has none. */
export function PasskeysSection() {
  const { t } = useTranslation('security')
  const passkeys = useFetched(PASSKEYS_KEY, listPasskeys)
  const [task, setTask] = useState<Task | null>(null)
  const close = () => setTask(null)
  return (
    <CardSection
      title={t(($) => $.passkeys.title)}
      description={t(($) => $.passkeys.description)}
      actions={
        hasPasskeys() && (
          <Button size="sm" onClick={() => setTask({ kind: 'add' })}>
            {t(($) => $.passkeys.add)}
          </Button>
        )
      }
    >
      {!hasPasskeys() && <p className="text-muted-foreground">{t(($) => $.passkeys.unsupported)}</p>}
      {passkeys.error && <Alert tone="destructive">{t(($) => $.failed)}</Alert>}
      {hasPasskeys() && passkeys.value?.length === 0 && (
        <p className="text-muted-foreground">{t(($) => $.passkeys.none)}</p>
      )}
      <ul className="divide-y divide-border">
        {passkeys.value?.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onTask={setTask} />
        ))}
      </ul>
      <Dialog open={task !== null} onOpenChange={(isOpen) => !isOpen && close()}>
        {task && <PasskeyDialog task={task} onClose={close} />}
      </Dialog>
    </CardSection>
  )
}

function PasskeyRow({ passkey, onTask }: { passkey: Passkey; onTask: (task: Task) => void }) {
  const { t } = useTranslation('security')
  const name = passkey.name || t(($) => $.passkeys.unnamed)
  const rename = t(($) => $.passkeys.rename)
  const remove = t(($) => $.passkeys.remove)
  return (
    <li className="flex flex-wrap items-center gap-3 py-3 first:pt-0 last:pb-0">
      <KeyRound aria-hidden="true" className="size-5 shrink-0 text-muted-foreground" strokeWidth={1.75} />
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate font-medium">{name}</p>
        <p className="text-[0.8125rem] text-muted-foreground">
          <RelativeTime at={Date.parse(passkey.createdAt)} />
        </p>
      </div>
      <Button size="sm" aria-label={`${rename}: ${name}`} onClick={() => onTask({ kind: 'rename', passkey })}>
        {rename}
      </Button>
      <Button size="sm" aria-label={`${remove}: ${name}`} onClick={() => onTask({ kind: 'remove', passkey })}>
        {remove}
      </Button>
    </li>
  )
}

function PasskeyDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const { t } = useTranslation('security')
  const [mustProve, setMustProve] = useState(false)
  const status = useFetched(TWO_STEP_KEY, fetchTwoStep)

  async function change(run: () => Promise<void>, done: string) {
    try {
      await run()
    } catch (error) {
      if (error instanceof HttpError && error.code === 'SESSION_NOT_FRESH' && status.value?.hasPassword)
        return setMustProve(true)
      if (!isBrokenOff(error)) throw error
      toast.error(t(($) => $.passkeys.brokenOff))
      return
    }
    forgetFetched(PASSKEYS_KEY)
    toast.success(done)
    onClose()
  }

  if (mustProve) {
    return (
      <DialogContent title={t(($) => $.prove.title)} description={t(($) => $.prove.body)}>
        <PasswordForm
          hasPassword
          submitLabel={t(($) => $.prove.submit)}
          onSubmit={async (password) => {
            await proveIdentity(password ?? '')
            setMustProve(false)
          }}
        />
      </DialogContent>
    )
  }
  if (task.kind === 'remove') {
    return (
      <DialogContent title={t(($) => $.passkeys.remove)} description={t(($) => $.passkeys.removeBody)}>
        <PasswordForm
          hasPassword={false}
          submitLabel={t(($) => $.passkeys.remove)}
          isDestructive
          onSubmit={() =>
            change(
              () => removePasskey(task.passkey.id),
              t(($) => $.passkeys.removed),
            )
          }
        />
      </DialogContent>
    )
  }
  const isNew = task.kind === 'add'
  return (
    <DialogContent title={t(($) => (isNew ? $.passkeys.add : $.passkeys.rename))}>
      <OneFieldForm
        label={t(($) => $.passkeys.name)}
        initial={isNew ? '' : (task.passkey.name ?? '')}
        submitLabel={t(($) => (isNew ? $.passkeys.add : $.passkeys.rename))}
        onSubmit={(name) =>
          change(
            () => (task.kind === 'add' ? addPasskey(name) : renamePasskey(task.passkey.id, name)),
            t(($) => (isNew ? $.passkeys.added : $.passkeys.renamed)),
          )
        }
      />
    </DialogContent>
  )
}
