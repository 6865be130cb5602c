// The script of a site finds its key, however the site has put it into the page.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

let warned: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  vi.resetModules()
  warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => {
  warned.mockRestore()
  delete window.parley
  document.head.replaceChildren()
})

/** The address of the frame that a script with these attributes has put into the page. */
async function frameOf(attributes: Record<string, string>, isCurrent: boolean): Promise<string | null> {
  const script = document.createElement('script')
  for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value)
  script.type = 'text/plain' // not fetched
  document.head.append(script)
  const current = vi.spyOn(document, 'currentScript', 'get').mockReturnValue(isCurrent ? script : null)
  await import('./loader.ts')
  current.mockRestore()
  // Frames of the tests before stay on the page.
  return [...document.querySelectorAll('iframe')].at(-1)?.src.split('?')[0] ?? null
}

it('says on the console that it has none, and shows nothing', async () => {
  expect(await frameOf({ src: 'https://parley.example/widget.js' }, true)).toBeNull()
  expect(warned).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('data-key'))
})

it.each([
  ['in the attribute', { src: 'https://parley.example/widget.js', 'data-key': 'k1' }, true, 'k1'],
  [
    'in the address, where a tag manager drops attributes',
    { src: 'https://parley.example/widget.js?key=k2' },
    true,
    'k2',
  ],
  ['in a module', { src: 'https://parley.example/widget.js', 'data-key': 'k3' }, false, 'k3'],
  ['in the address in a module', { src: 'https://parley.example/widget.js?key=k4' }, false, 'k4'],
])('finds its key %s', async (_, attributes, isCurrent, key) => {
  expect(await frameOf(attributes, isCurrent)).toBe(`https://parley.example/widget/${key}`)
})
