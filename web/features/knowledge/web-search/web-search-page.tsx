// /knowledge/web-search: the web as a source of one space.

import { WritableBy } from '#web/lib/sign-in/permissions.tsx'
import { PartPage } from '../parts/part-page.tsx'
import { WebTab } from './web-tab.tsx'

/** The same as the tab of the space page, under an address of its own. */
export function WebSearchPage() {
  return (
    <PartPage part="web-search">
      {(space) => (
        <WritableBy permission="knowledge.write">
          <WebTab space={space} />
        </WritableBy>
      )}
    </PartPage>
  )
}
