// Asks the visitor for a rating: a scale, and an optional comment.
import { type FormEvent, useState } from 'react'
import type { VisitorRating } from '#shared/channels/webchat.ts'
import { RATING_COMMENT_MAX } from '#shared/limits.ts'
import type { WidgetTexts } from './texts.ts'

const SCORES = [1, 2, 3, 4, 5]

/** Answering and declining both end the question. */
export function RatingForm({ texts, onRate }: { texts: WidgetTexts; onRate: (rating: VisitorRating) => void }) {
  const [score, setScore] = useState<number | null>(null)
  const [comment, setComment] = useState('')
  function submit(event: FormEvent) {
    event.preventDefault()
    if (score !== null) onRate({ score, comment: comment.trim() })
  }
  return (
    <form className="rating" onSubmit={submit}>
      <fieldset>
        <legend>{texts.rating}</legend>
        {SCORES.map((value) => (
          <label key={value} className={value === score ? 'chosen' : undefined}>
            <input
              type="radio"
              name="score"
              className="sr-only"
              aria-label={texts.score(value)}
              checked={value === score}
              onChange={() => setScore(value)}
            />
            <span aria-hidden="true">{value}</span>
          </label>
        ))}
      </fieldset>
      {score !== null && (
        <textarea
          rows={2}
          value={comment}
          maxLength={RATING_COMMENT_MAX}
          placeholder={texts.comment}
          aria-label={texts.comment}
          onChange={(event) => setComment(event.target.value)}
        />
      )}
      <div className="answers">
        <button type="button" onClick={() => onRate({ score: null, comment: '' })}>
          {texts.notNow}
        </button>
        {score !== null && <button type="submit">{texts.rate}</button>}
      </div>
    </form>
  )
}
