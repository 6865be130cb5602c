// A text with the sentences marked that an answer or a question is about.
import { answeringSentences } from '#shared/messaging/answering-sentences.ts'

/** Inline; the text alone where nothing is to be marked. */
export function MarkedText({ text, about }: { text: string; about: string | undefined }) {
  const ranges = about ? answeringSentences(text, about) : []
  return (
    <>
      {ranges.map(({ start, end }, index) => (
        <span key={start}>
          {text.slice(ranges[index - 1]?.end ?? 0, start)}
          <mark className="rounded-sm bg-warning-soft text-warning-soft-foreground">{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(ranges.at(-1)?.end ?? 0)}
    </>
  )
}
