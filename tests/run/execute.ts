// Runs a program of the project.
import { spawn } from 'node:child_process'

/** The exit code of a program, whose output is shown; 127 where it cannot be started. */
export function execute(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', () => done(127))
    child.on('exit', (code) => done(code ?? 1))
  })
}
