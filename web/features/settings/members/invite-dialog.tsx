// The dialog that invites: addresses and a role, then what has come of it.
import { useRef, useState } from 'react'
import { GRANTED_ROLES, type GrantedRole } from '#shared/organizations/policy.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { ADDRESSES_MAX, type AddressFault, readAddresses } from './addresses.rules.ts'
import { InviteLinks, type MadeInvite } from './invite-links.tsx'

/** Open while mounted. Addresses that are refused stay in the field, with the reason. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings')
  const [made, setMade] = useState<MadeInvite[]>([])
  const [isOver, setOver] = useState(false)
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={t(($) => (isOver ? $.invites.sentTitle : $.invites.dialogTitle))}>
        {made.length > 0 && <InviteLinks invites={made} />}
        {isOver ? (
          <DialogFooter>
            <Button variant="primary" onClick={onClose}>
              {t(($) => $.invites.done)}
            </Button>
          </DialogFooter>
        ) : (
          <InviteForm
            onMade={(each) => setMade((before) => [...before, each])}
            onDone={() => setOver(true)}
            onClose={onClose}
          />
        )}
      </DialogContent>
    </Dialog>
  )
}

type InviteFormProps = { onMade: (made: MadeInvite) => void; onDone: () => void; onClose: () => void }

function InviteForm({ onMade, onDone, onClose }: InviteFormProps) {
  const { t } = useTranslation('settings')
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [role, setRole] = useState<GrantedRole>('operator')
  const [error, setError] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)
  const faultText = useFaultText()
  const invite = useInviting(onMade)

  async function submit() {
    const { emails, fault } = readAddresses(text)
    setError(fault && faultText(fault))
    if (fault) return field.current?.focus()
    setBusy(true)
    const refused = await invite(emails, role)
    setBusy(false)
    if (refused.length === 0) return onDone()
    setText(refused.map(({ email }) => email).join('\n'))
    setError(refused.map(({ reason }) => reason).join(' '))
    field.current?.focus()
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Field
        label={t(($) => $.invites.emails)}
        hint={t(($) => $.invites.emailsHint, { max: ADDRESSES_MAX })}
        error={error}
        isRequired
      >
        <Textarea
          ref={field}
          className="max-h-40"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setError(undefined)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void submit()
          }}
        />
      </Field>
      <RoleField role={role} onChange={setRole} />
      <DialogFooter>
        <Button onClick={onClose}>{t(($) => $.invites.cancel)}</Button>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {t(($) => $.invites.send)}
        </Button>
      </DialogFooter>
    </form>
  )
}

function RoleField({ role, onChange }: { role: GrantedRole; onChange: (role: GrantedRole) => void }) {
  const { t } = useTranslation(['settings', 'common'])
  const label = t(($) => $.invites.role)
  return (
    <div className="flex flex-col gap-1.5">
      <p aria-hidden="true" className="font-medium">
        {label}
      </p>
      <RadioGroup
        label={label}
        value={role}
        onValueChange={onChange}
        options={GRANTED_ROLES.map((each) => ({
          value: each,
          label: t(($) => $.roles[each], { ns: 'common' }),
          hint: t(($) => $.roleHints[each], { ns: 'common' }),
        }))}
      />
    </div>
  )
}

/** Invites one after another. @returns those who were refused, each with the reason */
function useInviting(onMade: (made: MadeInvite) => void) {
  const { t } = useTranslation('settings')
  const create = useMutation(api.organizations.invites.create, { hasToast: false })
  return async (emails: string[], role: GrantedRole): Promise<{ email: string; reason: string }[]> => {
    const refused: { email: string; reason: string }[] = []
    for (const email of emails) {
      try {
        onMade({ email, made: await create({ email, role }) })
      } catch (error) {
        const { message } = describeError(error)
        const isNamed = emails.length === 1 || message.includes(email)
        refused.push({ email, reason: isNamed ? message : t(($) => $.invites.failedFor, { email, reason: message }) })
      }
    }
    return refused
  }
}

function useFaultText(): (fault: AddressFault) => string {
  const { t } = useTranslation('settings')
  return (fault) => {
    if (fault.kind === 'none') return t(($) => $.invites.emailsRequired)
    if (fault.kind === 'tooMany') return t(($) => $.invites.emailsTooMany, { max: ADDRESSES_MAX })
    return t(($) => $.invites.emailsInvalid, { text: fault.text })
  }
}
