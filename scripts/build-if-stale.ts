// Builds the web client and the widget before a start when it is missing or older than what it is made from, so that one command runs the product.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const SOURCES = ['web', 'widget', 'shared', 'index.html', 'vite.config.ts', 'package-lock.json']
/** In the order in which they are built. */
const BUILDS = [
  { built: 'dist/web/index.html', args: [] },
  { built: 'dist/widget/index.html', args: ['--config', 'widget/vite.config.ts'] },
]

if (BUILDS.some(({ built }) => newest(SOURCES) > modified(built))) {
  console.log('Building the interface (once, about 15 s)…')
  for (const { args } of BUILDS) {
    const { status } = spawnSync('vite', ['build', '--logLevel=error', ...args], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    process.exitCode ||= status ?? 1
  }
}

function newest(paths: string[]): number {
  const times = paths.flatMap((place) => {
    if (!fs.existsSync(place)) return []
    if (!fs.statSync(place).isDirectory()) return [modified(place)]
    return fs.readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => modified(path.join(place, name)))
  })
  return Math.max(...times)
}

/** Milliseconds since the epoch; 0 when there is no such file. */
function modified(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
