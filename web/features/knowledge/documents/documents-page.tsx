// /knowledge/documents: the documents of one space.
import { PartPage } from '../parts/part-page.tsx'
import { DocumentsTab } from './documents-tab.tsx'

/** The same as the tab of the space page, under an address of its own. */
export function DocumentsPage() {
  return <PartPage part="documents">{(space) => <DocumentsTab space={space} />}</PartPage>
}
