// Words that say little about the topic. They are indexed like all others and weigh less in a query: «когда» and «где» carry short
// questions. The Snowball lists for Russian and English, and further question words.

const RUSSIAN = `
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще нет о из
ему теперь когда даже ну вдруг ли если уже или ни быть был него до вас нибудь опять уж вам сказал ведь там потом себя ничего
ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто человек чего раз тоже себе под жизнь будет ж
тогда кто этот говорил того потому этого какой совсем ним здесь этом один почти мой тем чтобы нее кажется сейчас были куда
зачем сказать всех никогда сегодня можно при наконец два об другой хоть после над больше тот через эти нас про всего них какая
много разве сказала три эту моя впрочем хорошо свою этой перед иногда лучше чуть том нельзя такой им более всегда конечно всю между
какого какому каким каком какую какие каких какими какое который которого которому которым котором которая которой которую которою
которое которые которых которыми чей чья чье чьи чьего чьему чьим чьем чьей чью чьих чьими кого кому кем ком сколько скольких
скольким сколькими почему это эта этому этим этих этими также является являются`

const ENGLISH = `
i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself
they them their theirs themselves what which who whom this that these those am is are was were be been being have has had having
do does did doing would should could ought i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd
we'd they'd i'll you'll he'll she'll we'll they'll isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't
wouldn't shan't shouldn't can't cannot couldn't mustn't let's that's who's what's here's there's when's where's why's how's
a an the and but if or because as until while of at by for with about against between into through during before after above
below to from up down in out on off over under again further then once here there when where why how all any both each few more
most other some such no nor not only own same so than too very`

/** The pieces that an apostrophe leaves of the English contractions belong to the list as well. */
const STOP_WORDS = new Set(`${RUSSIAN} ${ENGLISH}`.split(/[\s']+/).filter(Boolean))

/** Whether a normalised, unstemmed word is one of them. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}
