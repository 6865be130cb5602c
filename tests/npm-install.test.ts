// What npm says of an installation on the oldest Node that the README allows: the server runs on the Node that is installed with it, so what
// a dependency asks of the host's is no concern of the reader.
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'npm-install-'))
  await mkdir(path.join(folder, 'demanding'))
  const write = (file: string, content: object) => writeFile(path.join(folder, file), JSON.stringify(content))
  await write('demanding/package.json', { name: 'demanding', version: '1.0.0', engines: { node: '>=999' } })
  await write('package.json', { name: 'host', version: '1.0.0', dependencies: { demanding: 'file:./demanding' } })
  await copyFile(path.resolve(import.meta.dirname, '../.npmrc'), path.join(folder, '.npmrc'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('does not warn of what dependencies ask of the Node of the host', async () => {
  const { stdout, stderr } = await promisify(execFile)('npm', ['install', '--offline', '--no-audit', '--no-fund'], {
    cwd: folder,
    // Set by the npm that runs the tests; stronger than the file.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_loglevel$/i.test(name))),
  })
  expect(stdout).toContain('added 1 package')
  expect(stderr).toBe('')
})
