// One help page, as its address names it, with the way to the others.
import { Link, useLocation } from 'react-router'
import { HelpArticle } from '#web/components/help/help-article.tsx'
import { HELP_PATHS, HELP_TOPICS } from '#web/components/help/help-topics.ts'
import { Page } from '#web/components/ui/page.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** For the routes of HELP_PATHS only. */
export function HelpPage() {
  const { t } = useTranslation('help')
  const { pathname } = useLocation()
  const topic = HELP_TOPICS.find((each) => HELP_PATHS[each] === pathname) ?? HELP_TOPICS[0]
  if (!topic) return null
  return (
    <Page title={t(($) => $[topic].title)} width="narrow">
      <HelpArticle topic={topic} />
      <nav aria-label={t(($) => $.others)} className="border-border border-t pt-5">
        <h2 className="font-medium text-sm">{t(($) => $.others)}</h2>
        <ul className="mt-2 flex flex-col gap-1">
          {HELP_TOPICS.filter((each) => each !== topic).map((each) => (
            <li key={each}>
              <Link
                to={HELP_PATHS[each]}
                className="inline-flex min-h-6 items-center text-primary text-sm underline-offset-2 hover:underline pointer-coarse:min-h-11"
              >
                {t(($) => $[each].title)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Page>
  )
}
