// One pass over the tags of an XML part, and the text it is read from.
import { Parser } from 'htmlparser2'
import type { Zip } from '../zip.ts'

export type Attributes = Record<string, string>
export type XmlHandler = {
  open(name: string, attributes: Attributes): void
  close(name: string): void
  text(text: string): void
}

/** Calls the handler in the order of the document. Entities that the document defines are not known. */
export function readXml(xml: string, handler: Partial<XmlHandler>): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => handler.open?.(name, attributes),
      onclosetag: (name) => handler.close?.(name),
      ontext: (text) => handler.text?.(text),
    },
    { xmlMode: true },
  )
  parser.end(xml)
}

/** Empty for a part that the container does not hold. */
export async function xmlOf(zip: Zip, name: string): Promise<string> {
  return (await zip.read(name))?.toString('utf8').replace(/^\uFEFF/, '') ?? ''
}

/** Id of a relation → the whole name of the part it points to, or the address outside of the file. */
export async function relationsOf(zip: Zip, part: string): Promise<Map<string, string>> {
  const [folder = '', file = ''] = [part.slice(0, part.lastIndexOf('/')), part.slice(part.lastIndexOf('/') + 1)]
  const relations = new Map<string, string>()
  readXml(await xmlOf(zip, `${folder}/_rels/${file}.rels`), {
    open(name, { Id = '', Target = '' }) {
      if (name !== 'Relationship') return
      const isOutside = /^[a-z][a-z\d+.-]*:/i.test(Target)
      relations.set(Id, isOutside ? Target : (URL.parse(Target, `file:///${folder}/`)?.pathname.slice(1) ?? ''))
    },
  })
  return relations
}
