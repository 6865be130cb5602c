// What both floors ask: one bare streaming call of a model, over bare HTTP.
import { Agent, request as httpRequest } from 'node:http'

const agent = new Agent({ keepAlive: true })

/** One streamed answer. `onDelta` sees each piece as it comes. */
export async function callModel(
  modelUrl: string,
  question: string,
  onDelta?: (delta: string) => void,
): Promise<string> {
  const messages = [
    { role: 'system', content: 'You are the assistant of a shop.' },
    { role: 'user', content: question },
  ]
  let text = ''
  let rest = ''
  await post(`${modelUrl}/chat/completions`, { model: 'stub', stream: true, messages }, (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue
      const delta = (JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] }).choices[0]?.delta
        .content
      if (!delta) continue
      text += delta
      onDelta?.(delta)
    }
  })
  return text
}

/** Posts JSON over a connection that is kept. */
export function post(url: string, body: unknown, onData?: (chunk: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => onData?.(chunk))
        response.on('end', resolve)
        response.on('error', reject)
      },
    )
    outgoing.on('error', (error) => (outgoing.reusedSocket ? resolve(post(url, body, onData)) : reject(error)))
    outgoing.end(JSON.stringify(body))
  })
}
