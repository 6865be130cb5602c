// Diagrams that Office draws of a list (SmartArt): their texts lie in parts of their own.
import type { Zip } from '../zip.ts'
import { readXml, xmlOf } from './xml.ts'

/** The texts of the diagrams to which the relations of a part lead, in their order. */
export async function diagramTexts(zip: Zip, relations: ReadonlyMap<string, string>): Promise<string[]> {
  const texts: string[] = []
  for (const name of new Set(relations.values())) {
    if (!/\/diagrams\/data\d*\.xml$/.test(name)) continue
    let paragraph = ''
    let isText = false
    readXml(await xmlOf(zip, name), {
      open(tag) {
        if (tag === 'a:p') paragraph = ''
        isText = tag === 'a:t'
      },
      text(text) {
        if (isText) paragraph += text
      },
      close(tag) {
        isText = false
        if (tag === 'a:p' && paragraph.trim()) texts.push(paragraph.replace(/\s+/g, ' ').trim())
      },
    })
  }
  return texts
}
