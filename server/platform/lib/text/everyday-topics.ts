// What customers of any business ask about, and the words by which they and its documents speak of it, in Russian, English and Kazakh.
// So `вы возите` meets «доставка», and `жумыс бар ма` does not meet the opening hours. Knows nothing of a single business.
import { foldKazakh } from './kazakh.ts'
import { editDistance } from './word-distance.ts'

/**
 * Beginnings of words, folded and with е for ё; `=` before a word: nothing may follow it. Of two topics that fit a word the longer
 * beginning counts, so that `работа` is a job and `работаете` the hours.
 */
const TOPICS = {
  delivery:
    'достав привез привоз возите =возят развоз довез отвез отвоз курьер deliver shipping =ship =ships courier жеткиз =апарып =акелип',
  pickup: 'самовывоз самовынос забрать заберу забира пункт pickup collect алыпкет озималып',
  returns: 'возврат вернуть верну вернет возвращ =вернем обмен поменя return refund exchange кайтар айырбас ауыстыр',
  warranty: 'гарант warrant guarantee кепилдик',
  repair: 'ремонт почин сервисн сломал неисправ repair =fix broken жонде',
  payment: 'оплат платить плачу заплат платеж расплат перевод =pay payment =paid =pays paying толем толеу толей толес',
  cards:
    '=карта =карты =карту =картой =картам =картами =карт банковск card visa mastercard картасы картамен картадан картамды картаны',
  cash: 'налич купюр cash колма =акша акшалай',
  instalments: 'рассроч instal болип',
  credit: 'кредит credit loan несие',
  hours:
    'работае работают =работаешь =работы открыт открыв откро закрыт закрыв закро график режим часы расписан ежедневн круглосуточ open close hours schedule ашык ашыл жабык жабыл кестес кесте истейд истей',
  job: '=работа =работу =работой ваканс трудоустр устроит подработ соискат резюме зарплат оклад salary жалакы =job =jobs vacanc hiring hire career employment =жумыс =жумыска ваканция жумыск',
  address:
    'адрес =мкр микрорайон =трц =тц =бц бульвар шоссе улиц =ул проспект street avenue коше дангыл находит расположен располага address located location situated мекенжай орналас',
  phone: 'телефон =тел позвон звони phone =call =tel хабарлас',
  email: 'имейл емейл мейл email mail почт пошта',
  parking: 'парков стоянк припарк машиномест гараж park garage турак паркинг',
  booking: 'запис бронь брони заброн book reserv appointment жазыл брондау',
  cancel: 'отмен аннулир cancel токтат бастарт',
  checkIn: 'заезд заселен засел чекин checkin check-in киру =орналасу тиркел',
  checkOut: 'выезд выселен чекаут checkout шыгу',
  breakfast: 'завтрак breakfast танертен тангы танги',
  room: '=номер =номера =номере =номеру =номеров комнат room бөлме',
  price: 'стоим цена цены цену ценник прайс расценк тариф price cost =fee =rate багас багалар =бага турады',
  discount: 'скидк акци льгот discount =sale женилдик',
  doctor: 'врач доктор doctor physician даригер',
  children: 'дети детск детей ребен child kids =kid =бала =балам балалар баламд баланы баланын',
  smoking: 'курит курен курю smok темеки шылым',
  pets: 'собак кошк питом животн dog =cat =cats pet жануар =ит итпен мысык',
  pool: 'бассейн pool бассейин хауыз',
  internet: 'интернет internet wifi вайфай вифи',
  transfer: 'трансфер transfer shuttle =ride pick-up',
  airport: 'аэропорт airport әуежай ауежай',
  luggage: 'багаж чемодан luggage baggage suitcase жуксалг',
  fridge: 'холодильн fridge refrigerator музткыш тоназыткыш',
  washing: 'стиральн washing кир-жуг',
  blood: 'кровь крови blood =кан =канды',
  test: 'анализ test талдау',
  elevator: 'лифт elevator =lift',
  sunday: 'воскрес sunday жексенби',
  saturday: 'суббот saturday сенби сенбид',
  business:
    'магазин клиник емхана больниц отел гостиниц салон офис компани ресторан кафе =банк =банка =банке =банку =банки аптек =школа =школы =школе =школу =школой shop store clinic hotel office company =bank pharmacy =school дукен =конак дарихан мектеп',
  bonus: 'бонус балл кешб кэшб bonus cashback loyalty',
  invoice: 'юридическ юрлиц счет инвойс invoice шот',
  lesson: '=урок =урока =уроки =уроков =уроку заняти lesson =class =classes сабак',
  people: '=человек =человека =люди =людей =людям =people =person =persons адам',
  insurance: 'страхов полис insur сактандыр',
  pause: 'замороз заморож приостан =паузу =пауза =паузе freez =pause pausing =hold',
  ultrasound: '=узи =удз ultrasound',
  teeth: 'зуб стоматол tooth teeth dentist dental =тис =тисти =тисим',
  vaccine: 'привив вакцин vaccin екпе',
  suite: 'люкс suite =lux',
  gym: 'спортзал тренаж фитнес =gym fitness',
  training: 'трениров training trainin workout жаттыг',
  free: 'бесплат платн =free тегин',
  money: 'деньг =денег money акшан акшам',
  send: 'прислат пришл скинут =скину отправит =отправлю выслат =send =submit жибер',
  sauna: 'саун =баня =баню =бане sauna =spa =монша',
  meals: 'обед ужин питани =еда =еду =еды кормят lunch dinner =meal =meals =food тамак',
  haircut: 'стриж стрич подстри постри haircut шашкырк',
  men: 'мужчин мужск =men =mens =man =ерлер',
  women: 'женщин женск =women =woman =womens айел',
  late: 'опозд опазд lateness кешик',
  deposit: '=вклад =вклада =вкладу =вклады =вкладе =вкладов =вкладом депозит deposit салым',
  interest: 'процент годовых ставк interest пайыз',
  loss: 'утер потеря =украли жогалт =lost =lose',
  bus: 'автобус =bus',
  tuition: 'обучен =учеба =учебу =учебы окыту =оку tuition',
  documents: 'документ справк свидетельств паспорт удостоверен document passport =id кужат жеке',
} as const

export type Topic = keyof typeof TOPICS

/** Topics by which sentences are compared, but chunks are not looked for: there they would bring more noise than answers. */
const UNSEARCHED: ReadonlySet<Topic> = new Set([
  'lesson',
  'people',
  'pause',
  'training',
  'free',
  'money',
  'send',
  'meals',
  'late',
])

/** Whether chunks are looked for by the other words of a topic. */
export function isSearchedTopic(topic: Topic): boolean {
  return !UNSEARCHED.has(topic)
}

type Beginning = { topic: Topic; letters: string; isWhole: boolean }

/** By their first letter; the longest first. */
const BEGINNINGS = Map.groupBy(
  (Object.keys(TOPICS) as Topic[])
    .flatMap((topic) => TOPICS[topic].split(' ').map((word) => beginning(topic, word)))
    .sort((a, b) => b.letters.length - a.letters.length),
  ({ letters }) => letters[0],
)

/** Shorter beginnings are an error away from too many words. */
const MISTYPED_LEAST = 6
const LONG_BEGINNINGS = [...BEGINNINGS.values()]
  .flat()
  .filter(({ letters, isWhole }) => !isWhole && letters.length >= MISTYPED_LEAST)

/** The words that, next to each other, are about the first's topic, whatever they are about alone. */
const PAIRS: [RegExp, RegExp, Topic][] = [
  [/^жумыс/, /^(исте|уакыт|кесте|кун)/, 'hours'],
  [/^(час|график|режим|врем)/, /^работ/, 'hours'],
  [/^(opening|working|business)/, /^(hour|time)/, 'hours'],
  [/^job/, /^opening/, 'job'],
  [/^work/, /^(for|at)$/, 'job'],
  [/^work/, /^on$/, 'hours'],
]

function beginning(topic: Topic, word: string): Beginning {
  const isWhole = word.startsWith('=')
  return { topic, isWhole, letters: foldKazakh(word.slice(isWhole ? 1 : 0)) }
}

/** What a lower-case folded word is about; undefined for most words. */
export function topicOf(word: string): Topic | undefined {
  return BEGINNINGS.get(word[0])?.find(({ letters, isWhole }) =>
    isWhole ? word === letters : word.startsWith(letters),
  )?.topic
}

/**
 * What each of some words in a row is about: some are read by the word that follows them.
 *
 * @param isAsked they are typed in haste: a beginning may hold one error
 */
export function topicsOf(words: string[], isAsked = false): (Topic | undefined)[] {
  const topics = words.map((word) => topicOf(word) ?? (isAsked ? mistypedTopicOf(word) : undefined))
  for (const [at, word] of words.entries()) {
    const next = words[at + 1]
    const pair = next === undefined ? undefined : PAIRS.find(([first, second]) => first.test(word) && second.test(next))
    if (pair) topics.splice(at, 2, pair[2], pair[2])
  }
  return topics
}

const mistyped = new Map<string, Topic | undefined>()
const REMEMBERED_MOST = 20_000

/** Remembered by word: comparing one with all beginnings costs more than the rest of a question. */
function mistypedTopicOf(word: string): Topic | undefined {
  if (word.length < MISTYPED_LEAST) return undefined
  if (mistyped.has(word)) return mistyped.get(word)
  if (mistyped.size >= REMEMBERED_MOST) mistyped.clear()
  const topic = findMistyped(word)
  mistyped.set(word, topic)
  return topic
}

/** Undefined also for a word that is an error away from words of several topics. */
function findMistyped(word: string): Topic | undefined {
  const found = LONG_BEGINNINGS.filter(({ letters }) =>
    [-1, 0, 1].some((more) => {
      const start = word.slice(0, letters.length + more)
      return Math.abs(start.length - letters.length) <= 1 && editDistance(start, letters) === 1
    }),
  )
  const topics = new Set(found.map(({ topic }) => topic))
  return topics.size === 1 ? found[0]?.topic : undefined
}

/** The beginnings of the words that are about a topic. */
export function beginningsOf(topic: Topic): readonly { letters: string; isWhole: boolean }[] {
  return TOPIC_BEGINNINGS[topic] ?? []
}

const TOPIC_BEGINNINGS: Partial<Record<Topic, Beginning[]>> = Object.groupBy(
  [...BEGINNINGS.values()].flat(),
  ({ topic }) => topic,
)
