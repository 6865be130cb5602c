// `npm run dev`: builds the web chat once, as the server serves it; then the server restarted on change and Vite with hot reload,
// together; ends both when one ends.
import { spawn, spawnSync } from 'node:child_process'

spawnSync('vite', ['build', '--logLevel=warn', '--config', 'widget/vite.config.ts'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})

const commands: [command: string, args: string[]][] = [
  ['node', ['--watch', '--watch-preserve-output', 'server/main.ts']],
  ['vite', []],
]
const children = commands.map(([command, args]) =>
  spawn(command, args, {
    env: { DEV_MAIL: 'true', ...process.env },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  }),
)
for (const child of children) {
  child.on('exit', (code) => {
    for (const other of children) other.kill()
    process.exitCode = code ?? 0
  })
}
