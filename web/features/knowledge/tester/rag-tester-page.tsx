// /knowledge/rag-tester: what agents would find in one space.
import { PartPage } from '../parts/part-page.tsx'
import { Tester } from './tester.tsx'

/** The same as the tab of the space page, under an address of its own. */
export function RagTesterPage() {
  return <PartPage part="rag-tester">{(space) => <Tester space={space} />}</PartPage>
}
