// Sign-in through Google, where the installation offers it.
import { useState } from 'react'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { getConfig, signInWithGoogle } from '#web/lib/sign-in/auth.ts'
import { describeAuthError } from '#web/lib/sign-in/auth-errors.ts'

type GoogleButtonProps = { returnTo: string; onError: (message: string) => void }

/** Nothing unless configured. Its loading state is its own, apart from the password form's. */
export function GoogleButton({ returnTo, onError }: GoogleButtonProps) {
  const { t } = useTranslation('auth')
  const config = useFetched(['config'], getConfig)
  const [isLeaving, setLeaving] = useState(false)
  if (!config.value?.googleSignIn) return null

  async function leave() {
    setLeaving(true)
    try {
      await signInWithGoogle(returnTo)
    } catch (error) {
      setLeaving(false)
      onError(
        describeAuthError(
          error,
          t(($) => $.signIn.socialFailed),
        ),
      )
    }
  }
  return (
    <>
      <Button size="lg" className="w-full" isBusy={isLeaving} onClick={() => void leave()}>
        <GoogleMark />
        {t(($) => $.signIn.google)}
      </Button>
      <div className="my-5 flex items-center gap-3 text-muted-foreground text-xs before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
        {t(($) => $.signIn.or)}
      </div>
    </>
  )
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="#4285F4"
        d="M23.5 12.3c0-.8-.1-1.600-.2-2.300H12v4.400h6.500a5.500 5.500 0 0 1-2.400 3.600v3h3.900c2.200-2.100 3.500-5.100 3.500-8.700z"
      />
      <path
        fill="#34A853"
        d="M12 24c3.200 0 6-1.100 8-2.900l-3.900-3a7.200 7.200 0 0 1-10.800-3.800h-4v3.100A12 12 0 0 0 12 24z"
      />
      <path fill="#FBBC05" d="M5.300 14.300a7.200 7.200 0 0 1 0-4.600V6.600h-4a12 12 0 0 0 0 10.800z" />
      <path
        fill="#EA4335"
        d="M12 4.800c1.800 0 3.300.6 4.600 1.800L20 3.100A12 12 0 0 0 1.300 6.600l4 3.100A7.200 7.200 0 0 1 12 4.800z"
      />
    </svg>
  )
}
