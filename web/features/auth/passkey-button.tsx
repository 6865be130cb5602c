// Signing in by a passkey.
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { describeAuthError } from '#web/lib/sign-in/auth-errors.ts'
import { hasPasskeys, isBrokenOff, signInWithPasskey } from '#web/lib/sign-in/passkeys.ts'
import { useSession } from '#web/lib/sign-in/session.tsx'

type PasskeyButtonProps = { returnTo: string; onError: (message: string | null) => void }

/** Nothing where the browser has no passkeys. A passkey needs no second step. */
export function PasskeyButton({ returnTo, onError }: PasskeyButtonProps) {
  const { t } = useTranslation('auth')
  const session = useSession()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  if (!hasPasskeys()) return null

  async function enter() {
    setBusy(true)
    onError(null)
    try {
      await signInWithPasskey()
      await session.begin()
      await navigate(returnTo, { replace: true })
    } catch (error) {
      const failed = t(($) => $.signIn.failed)
      onError(isBrokenOff(error) ? t(($) => $.signIn.passkeyBrokenOff) : describeAuthError(error, failed))
      setBusy(false)
    }
  }
  return (
    <Button size="lg" className="mt-3 w-full" isBusy={isBusy} onClick={() => void enter()}>
      <KeyRound aria-hidden="true" />
      {t(($) => $.signIn.passkey)}
    </Button>
  )
}
