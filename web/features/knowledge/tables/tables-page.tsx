// /knowledge/tables: the tables of one space.
import { PartPage } from '../parts/part-page.tsx'
import { TablesTab } from './tables-tab.tsx'

/** The same as the tab of the space page, under an address of its own. */
export function TablesPage() {
  return <PartPage part="tables">{(space) => <TablesTab space={space} />}</PartPage>
}
