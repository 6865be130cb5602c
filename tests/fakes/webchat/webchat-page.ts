// A site of another origin that embeds a web chat, like a customer's site: pick a chat, and see it in the corner or read why it does not
// appear. For the demonstration.
import { listenOnLoopback } from '#tests/loopback.ts'

/** A live web chat. `domains`: sites that may show it. */
export type ShownWidget = { key: string; title: string; domains: string[] }

/** Starts the site for all chats of a server. @returns its address and how to stop it */
export async function startWebchatPage(serverUrl: () => string, list: () => Promise<ShownWidget[]>, port: number) {
  const { url, close } = await listenOnLoopback(async (request) => {
    const widgets = await list()
    const wanted = new URL(request.url).searchParams.get('chat')
    const chosen = widgets.find(({ key }) => key === wanted) ?? widgets[0]
    const page = pageOf({ serverUrl: serverUrl(), host: `localhost:${port}`, widgets, chosen })
    return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  }, port)
  return { url: url.replace('127.0.0.1', 'localhost'), close }
}

type Shown = { serverUrl: string; host: string; widgets: ShownWidget[]; chosen: ShownWidget | undefined }

function pageOf({ serverUrl, host, widgets, chosen }: Shown): string {
  const options = widgets.map(({ key, title }) => {
    return `<option value="${key}"${key === chosen?.key ? ' selected' : ''}>${escaped(title)}</option>`
  })
  return `<!doctype html>
<html lang="ru">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Сайт для примера · Example site</title>
<style>
  :root { color-scheme: light dark; --page: #f4f1ea; --text: #23201b; --dim: #6b655b; --line: #d8d2c6; --alarm: #8a2b12 }
  @media (prefers-color-scheme: dark) { :root { --page: #171512; --text: #efeae1; --dim: #aaa397; --line: #3a352e; --alarm: #ffb09a } }
  body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 system-ui, sans-serif }
  main { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1.25rem 8rem }
  .demo { color: var(--dim); font-size: 14px; border-bottom: 1px solid var(--line); padding-bottom: 1rem }
  select, button { font: inherit; max-width: 100%; padding: .4rem .6rem }
  label { display: block }
  .alarm { color: var(--alarm); font-weight: 600 }
  code { overflow-wrap: anywhere }
</style>
<main>
  <form class="demo">
    <p>Это не сайт Parley, а страница для примера: она стоит на другом адресе, как ваш сайт.<br>
    This is not Parley but an example page at another address, like a site of yours.</p>
    ${
      widgets.length > 0
        ? `<label for="chat">Веб-чат · Web chat</label> <select id="chat" name="chat">${options.join('')}</select> <button>Показать · Show</button>`
        : '<p class="alarm">Ещё нет ни одного веб-чата: создайте его в разделе «Каналы». · There is no web chat yet: create one under Channels.</p>'
    }
  </form>
  ${chosen ? noteOf(host, chosen) : ''}
  <h1>Отель «Сосновый берег»</h1>
  <p>Сосны, песок и сорок номеров у воды. Завтрак до полудня, сауна по вечерам, велосипеды у входа.</p>
  <p lang="en">Pines, sand and forty rooms by the water. Breakfast until noon, a sauna in the evening, bicycles at the door.</p>
  ${chosen ? `<script async src="${serverUrl}/widget.js" data-key="${chosen.key}" data-lang="auto"></script>` : ''}
</main>
</html>`
}

/** A browser silently refuses a chat that may not be embedded here. */
function noteOf(host: string, { domains }: ShownWidget): string {
  if (domains.includes(host)) return '<p>Чат в углу страницы. · The chat is in the corner.</p>'
  return `<p class="alarm">Этому чату ещё нельзя стоять здесь: добавьте <code>${host}</code> в «Разрешённые сайты» и обновите страницу.<br>
    This chat may not stand here yet: add <code>${host}</code> to its allowed sites and reload.</p>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
