// /knowledge/base: the notes of one space.
import { PartPage } from '../parts/part-page.tsx'
import { NotesTab } from './notes-tab.tsx'

/** The same as the tab of the space page, under an address of its own. */
export function NotesPage() {
  return <PartPage part="base">{(space) => <NotesTab space={space} />}</PartPage>
}
