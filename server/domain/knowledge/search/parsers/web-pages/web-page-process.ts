// The child process that reads one page of the web. Started only by read-guarded.ts.
import { answerOneOrder } from '../process/guarded-child.ts'
import { readWebPage } from './web-page.ts'

export type WebPageOrder = { bytes: Uint8Array; url: string; characters: number }

answerOneOrder(async ({ bytes, url, characters }: WebPageOrder) => readWebPage(bytes, url, characters))
