// Encodings of chosen files.
import { expect, it } from 'vitest'
import { readTextFile } from './read-text-file.ts'

it.each([
  ['UTF-8', [...new TextEncoder().encode('Чай;120')]],
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, ...new TextEncoder().encode('Чай;120')]],
  ['UTF-16', [0xff, 0xfe, ...new Uint8Array(new Uint16Array(Array.from('Чай;120', (c) => c.charCodeAt(0))).buffer)]],
  ['windows-1251', [0xd7, 0xe0, 0xe9, 0x3b, 0x31, 0x32, 0x30]],
])('reads %s', async (_, bytes) => {
  expect(await readTextFile(new Blob([Uint8Array.from(bytes)]))).toBe('Чай;120')
})
