// Pictures that people upload: what of a file is kept, and what is refused with nothing changed.
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AVATAR_MAX_BYTES, AVATAR_SIZE_PIXELS } from '#shared/limits.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

const HOSTED = /^\/files\/avatars\/[0-9a-v]{32}\.webp$/

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
})
afterAll(() => app.close())

type Of = 'person' | 'organization'

async function upload(bytes: Uint8Array | string, of: Of = 'person', who: Person | null = person) {
  const headers: HeadersInit = who ? { authorization: `Bearer ${await who.token()}` } : {}
  const answer = await fetch(`${app.url}/api/files/pictures/${of}`, { method: 'POST', headers, body: bytes as never })
  return { status: answer.status, ...((await answer.json()) as { path?: string; code?: string }) }
}

const me = () => person.http.query(api.users.current, {})
const served = async (path: string | null | undefined) =>
  Buffer.from(await (await fetch(app.url + (path ?? ''))).arrayBuffer())

/** Left half red, right half blue. */
function halves() {
  const half = (background: string) => ({ create: { width: 200, height: 400, channels: 3 as const, background } })
  return sharp({ create: { width: 400, height: 400, channels: 3, background: '#ff0000' } }).composite([
    { input: half('#0000ff'), left: 200, top: 0 },
  ])
}

async function colourAt(picture: Buffer, left: number, top: number): Promise<'red' | 'blue'> {
  const [red = 0, , blue = 0] = await sharp(picture).extract({ left, top, width: 1, height: 1 }).raw().toBuffer()
  return red > blue ? 'red' : 'blue'
}

describe('a picture from a camera', () => {
  it('is kept small and upright, without where it was taken', async () => {
    const photo = await halves()
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExif({
        IFD0: { Make: 'Camera' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '43/1 15/1 0/1' },
      })
      .toBuffer()
    const before = await sharp(photo).metadata()
    expect(before.exif?.includes('Camera')).toBe(true)
    expect(before.orientation).toBe(6)

    const { status, path } = await upload(photo)
    expect(status).toBe(201)
    expect(path).toMatch(HOSTED)
    expect((await me()).avatar).toBe(path)
    const kept = await served(path)
    const facts = await sharp(kept).metadata()
    expect(facts).toMatchObject({ format: 'webp', width: AVATAR_SIZE_PIXELS, height: AVATAR_SIZE_PIXELS })
    expect([facts.exif, facts.xmp, facts.iptc, facts.orientation]).toEqual([undefined, undefined, undefined, undefined])
    // Turned by a quarter: what was to the left is above.
    expect(await colourAt(kept, 128, 10)).toBe('red')
    expect(await colourAt(kept, 128, 245)).toBe('blue')
  })

  it('takes the place of the one before, whose file is removed', async () => {
    const first = await upload(await halves().png().toBuffer())
    const second = await upload(await halves().webp().toBuffer())
    await app.settle()
    expect((await fetch(app.url + first.path)).status).toBe(404)
    expect((await fetch(app.url + second.path)).status).toBe(200)
    expect((await me()).avatar).toBe(second.path)
  })

  it('becomes the logo of the organization', async () => {
    const { path } = await upload(await halves().png().toBuffer(), 'organization')
    expect((await me()).organization?.logoUrl).toBe(path)
  })
})

it('of an animation the first frame is kept', async () => {
  const frames = [await halves().png().toBuffer(), await halves().negate({ alpha: false }).png().toBuffer()]
  const animation = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100] })
    .toBuffer()
  expect((await sharp(animation).metadata()).pages).toBe(2)
  const { path } = await upload(animation)
  const kept = await served(path)
  expect((await sharp(kept).metadata()).pages ?? 1).toBe(1)
  expect(await colourAt(kept, 10, 128)).toBe('red')
})

describe('a file that is refused', () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const bomb = () =>
    sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 9 })
      .toBuffer()

  it.each<[string, () => Promise<Uint8Array | string> | string, string, number]>([
    ['an SVG', () => SVG, 'picture_not_readable', 400],
    ['a page', () => '<!doctype html><script>alert(1)</script>', 'picture_not_readable', 400],
    ['a text that calls itself a PNG', () => '\x89PNG\r\n\x1a\n nothing more', 'picture_not_readable', 400],
    ['half a picture', async () => (await halves().png().toBuffer()).subarray(0, 60), 'picture_not_readable', 400],
    ['a picture that unpacks to gigabytes', bomb, 'picture_not_readable', 400],
    ['an empty file', () => '', 'file_empty', 400],
  ])('is %s: nothing changes', async (_, file, code, status) => {
    const before = await me()
    for (const of of ['person', 'organization'] as const) {
      expect(await upload(await file(), of)).toMatchObject({ status, code })
    }
    expect(await me()).toEqual(before)
  })

  it('is one of too many bytes, whether it says so or not', async () => {
    const bytes = new Uint8Array(AVATAR_MAX_BYTES + 1)
    expect(await upload(bytes)).toMatchObject({ status: 413, code: 'picture_too_large' })
    const body = new Blob([bytes]).stream()
    const headers = { authorization: `Bearer ${await person.token()}` }
    const request = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    expect((await fetch(`${app.url}/api/files/pictures/person`, request)).status).toBe(413)
  })

  it('is one of a stranger, or for an organization that is none', async () => {
    const picture = await halves().png().toBuffer()
    expect(await upload(picture, 'person', null)).toMatchObject({ status: 401, code: 'unauthenticated' })
    const single = await app.signUp({ organization: null })
    expect(await upload(picture, 'organization', single)).toMatchObject({
      status: 403,
      code: 'organization_required',
    })
    expect(await upload(picture, 'person', single)).toMatchObject({ status: 201 })
  })
})

it('the file of another cannot be taken by its address, nor removed that way', async () => {
  const { path = '' } = await upload(await halves().png().toBuffer())
  const colleague = await app.signUp()
  await expect(colleague.http.mutation(api.users.updateProfile, { patch: { avatarUrl: path } })).rejects.toMatchObject({
    data: { code: 'invalid_arguments' },
  })
  await expect(colleague.http.mutation(api.organizations.update, { patch: { logoUrl: path } })).rejects.toMatchObject({
    data: { code: 'invalid_arguments' },
  })
  await app.settle()
  expect((await fetch(app.url + path)).status).toBe(200)
})

it('colleagues see the picture and the job title where the person appears', async () => {
  const { path } = await upload(await halves().png().toBuffer())
  await person.http.mutation(api.users.updateProfile, { patch: { jobTitle: 'Support lead' } })
  const shown = { _id: person.user._id, avatar: path, jobTitle: 'Support lead' }
  expect(await person.http.query(api.organizations.members, {})).toMatchObject([shown])
  expect(await person.http.query(api.organizations.operators.list, {})).toMatchObject([shown])
})
