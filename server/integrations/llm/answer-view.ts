// The part of an answer that is shown while it is generated: nothing that may still turn out to be reasoning or a mark.
import type { GenerateRequest } from './llm.ts'
import type { ResolvedModel } from './providers.ts'
import { settledLength, withoutMarks } from './reading/passage-marks.rules.ts'
import { findModel } from './registry.ts'

/** Characters after which it is clear whether a model reasons aloud. */
const LEAST = 24
/** The share by which a long answer grows before it is read again: reading all of it for each token takes too long. */
const LEAST_GROWTH = 0.03
const MODELS_MAX = 1000

/**
 * Models whose chat templates open the reasoning in the prompt send only its closing mark, so nothing may be shown before it. Known models
 * do not; for others this is learned from their first answer, which is shown when it is complete.
 */
export interface StreamTrust {
  mayShow(model: Pick<ResolvedModel, 'account' | 'name'>): boolean
  learn(model: Pick<ResolvedModel, 'account' | 'name'>, isTakenBack: boolean): void
}

/** Starts with the listed models only. */
export function createStreamTrust(): StreamTrust {
  const clean = new Map<string, boolean>()
  const keyOf = ({ account, name }: Pick<ResolvedModel, 'account' | 'name'>) => `${account} ${name}`
  return {
    mayShow: (model) => clean.get(keyOf(model)) ?? findModel(model.name) !== undefined,
    learn(model, isTakenBack) {
      const key = keyOf(model)
      if (clean.size >= MODELS_MAX && !clean.has(key)) clean.clear()
      clean.set(key, !isTakenBack && clean.get(key) !== false)
    },
  }
}

/** Beginnings by which a model reasons aloud instead of answering. */
const SELF_TALK =
  /^\W*(?:(?:okay|ok|alright|all right|hmm+|right|so|well|now|first|wait|хорошо|итак|так|ладно|хм+)[,.!…]*\s+)*(?:let me (?:think|see|check|analy|look|break|recall|start|figure)|let['’]s (?:think|see|break|analy|check)|(?:the|this|our) (?:user|customer|client|question|request|message|prompt|system)|i (?:need|should|have|must|will need) to|we (?:need|should|have to|must|are asked|are given)|user (?:asks|wants|is|says)|thinking process|(?:мне |нам )?(?:нужно|надо|следует)|(?:этот )?(?:пользователь|клиент|покупатель) |вопрос (?:клиента|пользователя)|дава(?:й|йте) (?:подума|разбер|посмотр))/iu

/** Whether the beginning of an answer has to wait for its end. */
export function mustWait(text: string): boolean {
  const begun = text.trimStart()
  return begun.length < LEAST || SELF_TALK.test(begun.slice(0, 200))
}

export interface AnswerView {
  /** Characters that are shown. */
  readonly length: number
  /** @param isHeld nothing of it may be shown yet */
  update(text: string, isHeld: boolean): void
  /** The whole answer. */
  end(text: string): void
}

/** Emits an answer in pieces; `passages`: how many its marks may point to. */
export function showAnswer(
  request: Pick<GenerateRequest, 'onText' | 'onTakeBack'>,
  passages: () => number,
): AnswerView {
  let shown = ''
  let looked = 0
  const show = (text: string) => {
    if (!text.startsWith(shown)) {
      request.onTakeBack?.()
      shown = ''
    }
    const delta = text.slice(shown.length)
    shown = text
    if (delta !== '') request.onText?.(delta)
  }
  return {
    get length() {
      return shown.length
    },
    update(text, isHeld) {
      if (isHeld || !request.onText) return
      if (text.length > looked && text.length - looked < looked * LEAST_GROWTH) return
      looked = text.length
      const settled = withoutMarks(text.slice(0, settledLength(text)), passages()).text
      if (settled.length > shown.length || !settled.startsWith(shown)) show(settled)
    },
    end: show,
  }
}
