// Whether a customer would rather listen than read: what they ask for, what they once asked for, or how they write themselves.
import type { HistoryMessage } from '../turns/turn.ts'

/** How a customer is answered. */
export type AnswersBy = 'voice' | 'text'

const WISHES: [AnswersBy, RegExp][] = [
  ['text', /\b(?:answer|reply|respond|write)\b[^.!?]{0,30}\b(?:(?:in|by|with|as) text|in writing)\b/i],
  ['text', /\b(?:no|without|stop sending|don't send)\b[^.!?]{0,15}\bvoice\b/i],
  ['text', /(?:ответь|отвечай|пиши|напиши|пришли)(?:те)?[^.!?]{0,30}(?:текст|письменн|буквами)/iu],
  ['text', /(?:^|[^\p{L}])(?:без|не\s+(?:надо|нужно|шли|присылай|отправляй)(?:те)?)[^.!?]{0,15}(?:голосов|аудио)/iu],
  ['text', /не\s+(?:могу|удобно|получается)[^.!?]{0,20}слушать/iu],
  // What speaks of a guide, a system or an actor wishes for nothing: only a way to answer, or a message.
  [
    'voice',
    /\b(?:answer|reply|respond|speak|talk|tell|send|record)\b[^.!?]{0,30}\b(?:by|with|in|as|via)\s+(?:an?\s+)?(?:voice|audio)\b(?!\s+(?!message|note|please|format|from|only|now|instead|if|when|because|and|thanks)\p{L})/iu,
  ],
  [
    'voice',
    /\b(?:answer|reply|respond|send|record|leave)\b[^.!?]{0,30}\b(?:voice|audio)\s+(?:messages?|notes?|recordings?|memos?)\b/i,
  ],
  ['voice', /\bvoice(?: message| note)?,? please\b/i],
  [
    'voice',
    /(?:ответь|отвечай|говори|скажи|расскажи|пришли|запиши|отправь|надиктуй)(?:те)?[^.!?]{0,30}(?:голосом|(?:голосов|аудио)\p{L}*\s*(?:сообщен|ответ|запис|заметк)|голосовое(?!\s+\p{L}))/iu,
  ],
  [
    'voice',
    /(?:ответь|отвечай|пришли|запиши|отправь|надиктуй)(?:те)?[^.!?]{0,20}[^\p{L}]аудио(?![\p{L}-])(?!\s+(?!пожалуйста|плиз)\p{L})/iu,
  ],
  ['voice', /(?:голосом|голосовым|голосовое|аудио),?\s+(?:пожалуйста|плиз)/iu],
]

/** What a text says about how to be answered; null: nothing. */
export function wishOf(text: string): AnswersBy | null {
  return WISHES.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

/** The last wish among these messages. */
export function lastWish(questions: HistoryMessage[]): AnswersBy | null {
  return questions.reduce<AnswersBy | null>(
    (wish, { subject, text, passedOn }) => wishOf(passedOn?.own ?? subject ?? text) ?? wish,
    null,
  )
}

/** @param stored what the customer has asked for before */
export function isSpokenTo(questions: HistoryMessage[], stored: AnswersBy | null): boolean {
  const wish = lastWish(questions) ?? stored
  if (wish !== null) return wish === 'voice'
  return questions.some(({ attachments, passedOn }) => !passedOn && attachments?.some(({ kind }) => kind === 'voice'))
}
