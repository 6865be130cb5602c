// The content type under which a file is shown: by its bytes alone.
import { expect, it } from 'vitest'
import { headersOf } from './attachments.http.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex')

it('a picture is shown, whatever its name', async () => {
  expect(await headersOf(PNG, 'page.html')).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': expect.stringMatching(/^inline;/),
  })
})

it.each([
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['XML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>'],
  ['a drawing', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ['a PDF', '%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>'],
  ['a text', 'Hello'],
])("%s is only ever a download, although its name is a picture's", async (_, content) => {
  expect(await headersOf(Buffer.from(content), 'cat.png')).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringMatching(/^attachment;/),
  })
})
