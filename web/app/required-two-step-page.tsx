// In the place of every page while the organization waits for the person to set up two-step sign-in.
import { OutageBanner } from '#web/components/outage-banner.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Logo } from '#web/components/ui/logo.tsx'
import { useDocumentTitle } from '#web/components/ui/page.tsx'
import { TwoStepSetup } from '#web/features/settings/account/two-step-setup.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { fetchTwoStep, TWO_STEP_KEY } from '#web/lib/sign-in/two-step.ts'
import { useSignOut } from './use-sign-out.ts'

/** `onHold`: whether the page must stay though two-step sign-in is on: the recovery codes are shown only here. */
export function RequiredTwoStepPage({ onHold }: { onHold: (isHeld: boolean) => void }) {
  const { t } = useTranslation('security')
  const common = useTranslation('common').t
  const signOut = useSignOut()
  const status = useFetched(TWO_STEP_KEY, fetchTwoStep)
  useDocumentTitle(t(($) => $.required.title))
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 p-4">
      <OutageBanner className="w-full max-w-md overflow-hidden rounded-lg" />
      <Logo />
      <Card className="w-full max-w-md p-6">
        <h1 className="font-semibold text-lg">{t(($) => $.required.title)}</h1>
        <p className="mt-1 mb-5 text-muted-foreground">{t(($) => $.required.body)}</p>
        {status.value && (
          <TwoStepSetup hasPassword={status.value.hasPassword} onConfirming={onHold} onDone={() => onHold(false)} />
        )}
      </Card>
      <Button variant="link" size="sm" onClick={() => void signOut()}>
        {common(($) => $.header.signOut)}
      </Button>
    </main>
  )
}
