// The frame of the pages around a forgotten password and the confirmation of an address.
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { AuthLayout } from './auth-layout.tsx'

type NoticePageProps = { title: string; subtitle: string; children: ReactNode; backTo?: string }

/** With the way back to sign-in. */
export function NoticePage({ title, subtitle, children, backTo = paths.signIn }: NoticePageProps) {
  const { t } = useTranslation('auth')
  return (
    <AuthLayout
      page="signIn"
      title={title}
      subtitle={subtitle}
      footer={
        <Link to={backTo} className="font-medium text-primary hover:underline">
          {t(($) => $.forgot.toSignIn)}
        </Link>
      }
    >
      {children}
    </AuthLayout>
  )
}
