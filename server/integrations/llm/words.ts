// Words of Russian and English text as the built-in model compares them: lower case, ё as е, stemmed.
import snowball from 'snowball-stemmers'
import { editDistance } from '#server/platform/lib/text/word-distance.ts'

const russian = snowball.newStemmer('russian')
const english = snowball.newStemmer('english')
const stems = new Map<string, string>()
const STEMS_MAX = 50_000

/** Words that say nothing of the subject, by language; unstemmed. */
const STOP_WORDS = new Set(
  `и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще нет о из ему
  теперь когда даже ну ли если уже или ни быть был него до вас нибудь опять уж вам ведь там потом себя ничего ей может они тут где
  есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под будет ж тогда кто этот того потому этого какой
  совсем ним здесь этом один почти мой тем чтобы нее сейчас были куда зачем всех никогда можно при наконец два об другой хоть после
  над больше тот через эти нас про всего них какая много разве три эту моя впрочем хорошо свою этой перед иногда лучше чуть том
  нельзя такой им более всегда конечно всю между какие каким сколько почему это также является который которая которые чей ваш ваша ваше вашей вашему вашим нашего нашей нашу наше
  ваши вашу вашего у нас пожалуйста скажите подскажите нужно нужен нужна хочу могу можете здравствуйте
  стоит стоят стоимость цена цены почем скольки скок скока сколька сколко скольк делать делаете делают даете продаете продают узнать
  интересует подскажи скажи привет добрый день вечер вашем наш наша наши самому самим сам сама завтра хотел хотела бы ваших вами
  принимаете принимает берете предлагаете оказываете бывает бывают имеется имеются поставить сделаете
  сделать дней дня минут недель
  i me my we our you your he him his she her it its they them their what which who whom this that these those am is are was were be
  been being have has had having do does did doing would should could a an the and but if or because as until while of at by for
  with about against between into through during before after above below to from up down in out on off over under again further
  then once here there when where why how all any both each few more most other some such no nor not only own same so than too very
  can will just please tell know want need much many long price prices cost costs get give got sell sells time times hi hello hey pls plz accept
  accepts offer offers provide provides possible available u ur r ya gonna wanna`.split(/\s+/),
)

/** Shorter words are an error away from too many others. */
const MISTYPED_LEAST = 6
const LONG_STOP_WORDS = [...STOP_WORDS].filter((word) => word.length >= MISTYPED_LEAST)
const mistyped = new Map<string, boolean>()

/** Whether a lower-case word carries no subject of its own. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}

/** The same of a word that is typed in haste: with one error in a long word. */
export function isMistypedStopWord(word: string): boolean {
  if (word.length < MISTYPED_LEAST) return false
  const known = mistyped.get(word)
  if (known !== undefined) return known
  const isOne = LONG_STOP_WORDS.some(
    (stop) => Math.abs(stop.length - word.length) <= 1 && stop[0] === word[0] && editDistance(stop, word) === 1,
  )
  if (mistyped.size >= STEMS_MAX) mistyped.clear()
  mistyped.set(word, isOne)
  return isOne
}

/** Lower-case words in order, ё written е. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll('ё', 'е')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/** The stem of one lower-case word. */
export function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const stem = /^\d+$/.test(word) ? word : (/[а-я]/.test(word) ? russian : english).stem(word)
  if (stems.size >= STEMS_MAX) stems.clear()
  stems.set(word, stem)
  return stem
}

/** Distinct stems of the words that carry a subject. */
export function subjectStems(text: string): Set<string> {
  return new Set(wordsOf(text).flatMap((word) => (isStopWord(word) ? [] : [stemOf(word)])))
}
