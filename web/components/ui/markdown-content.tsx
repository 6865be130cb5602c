// The heavy half of markdown.tsx: parser, sanitizer and the looks of each element.
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import { harden } from 'rehype-harden'
import remarkGfm from 'remark-gfm'
import remend from 'remend'
import { useTranslation } from '#web/lib/i18n.ts'

const plugins: Pick<Options, 'remarkPlugins' | 'rehypePlugins'> = {
  remarkPlugins: [remarkGfm],
  rehypePlugins: [
    [
      harden,
      {
        defaultOrigin: window.location.origin,
        allowedLinkPrefixes: ['*'],
        allowedProtocols: ['http:', 'https:', 'mailto:', 'tel:'],
        allowedImagePrefixes: [],
        linkBlockPolicy: 'text-only',
        imageBlockPolicy: 'remove',
      },
    ],
  ],
}

const components: Components = {
  a: ExternalLink,
  p: ({ children }) => <p className="my-2 whitespace-pre-wrap first:mt-0 last:mb-0">{children}</p>,
  ul: ({ children }) => <ul className="my-2 list-disc ps-5 marker:text-muted-foreground">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="my-2 list-decimal ps-5 marker:text-muted-foreground">
      {children}
    </ol>
  ),
  li: ({ children }) => <li className="my-1 ps-0.5">{children}</li>,
  h1: ({ children }) => <p className="mt-4 mb-2 font-semibold text-base first:mt-0">{children}</p>,
  h2: ({ children }) => <p className="mt-4 mb-2 font-semibold text-base first:mt-0">{children}</p>,
  h3: ({ children }) => <p className="mt-3 mb-1 font-semibold first:mt-0">{children}</p>,
  blockquote: ({ children }) => (
    <blockquote className="my-2 border-input border-s-2 ps-3 text-muted-foreground">{children}</blockquote>
  ),
  code: ({ children }) => <code className="rounded bg-accent px-1 py-0.5 font-mono text-[0.85em]">{children}</code>,
  pre: ({ children }) => (
    <pre className="my-2 overflow-x-auto rounded-lg bg-accent p-3 text-[0.8125rem] leading-5 [&>code]:bg-transparent [&>code]:p-0">
      {children}
    </pre>
  ),
  hr: () => <hr className="my-4" />,
  table: ({ children }) => (
    <div className="my-2 overflow-x-auto">
      <table className="border-collapse text-[0.8125rem]">{children}</table>
    </div>
  ),
  th: ({ children }) => (
    <th className="border border-border bg-muted px-2.5 py-1.5 text-start font-medium">{children}</th>
  ),
  td: ({ children }) => <td className="border border-border px-2.5 py-1.5">{children}</td>,
}

/** Markdown as React nodes; half-open marks of a text that is still being written are closed. */
export function MarkdownContent({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  return (
    <ReactMarkdown {...plugins} components={components}>
      {isStreaming ? remend(text) : text}
    </ReactMarkdown>
  )
}

function ExternalLink({ href, children }: { href?: string | undefined; children?: React.ReactNode }) {
  const { t } = useTranslation()
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-primary underline underline-offset-2"
    >
      {children}
      <span className="sr-only"> ({t(($) => $.opensInNewTab)})</span>
    </a>
  )
}
