// Greetings, thanks and questions about the built-in model itself: short, honest replies that need no knowledge.
import { foldKazakh } from '#server/platform/lib/text/kazakh.ts'
import type { AnswerLanguage } from '../language.ts'
import { wordsOf } from '../words.ts'

type Talk = { words: RegExp } & Record<AnswerLanguage, string>

/** Each pattern must match the whole message, so that a greeting before a question does not swallow the question. */
const TALKS: Talk[] = [
  {
    words:
      /^((ну|и|всем|вам|еще раз|доброго|добрый|доброе|добрая) )*(здравствуй(те)?|привет(ствую|ик)?|хай|салют|доброго (дня|времени суток|утра|вечера)|добрый (день|вечер)|доброе утро|салем(етсиз( бе)?|етсизбе|дер)?|армысыз|кайырлы (кун|тан|кеш)|(good )?(morning|evening|afternoon|day)|hi|hello|hey|greetings)( (вам|там|there|again|всем|бот|bot|team))*$/,
    ru: 'Здравствуйте! Задайте вопрос, и я найду ответ в базе знаний.',
    en: 'Hello! Ask a question, and I will look for the answer in the knowledge base.',
    kk: 'Сәлеметсіз бе! Сұрағыңызды жазыңыз, мен жауабын білім базасынан табамын.',
  },
  {
    words:
      /^((ок|окей|ясно|понятно|понял|поняла|отлично|супер|ok|okay|great|got it|perfect) )*(рахмет|ракмет|спасибо|благодарю|спс|thanks|thank you|thx|cheers|ok|okay|ок|окей|хорошо|ясно|понятно|понял|поняла|отлично|great|got it|perfect)( (большое|сизге|коп|огромное|вам|за (помощь|ответ|информацию)|a lot|so much|very much|for (your|the) (help|answer)))*$/,
    ru: 'Пожалуйста! Если появится ещё вопрос, напишите.',
    en: 'You are welcome! Write if you have another question.',
    kk: 'Оқасы жоқ! Тағы сұрағыңыз болса, жазыңыз.',
  },
  {
    words:
      /^(сау бол(ыныз|ындар)?|кош бол(ыныз)?|пока|до свидания|всего (доброго|хорошего)|хорошего (дня|вечера)|bye|goodbye|bye bye|see you|have a (nice|good) (day|evening))$/,
    ru: 'Всего доброго!',
    en: 'Goodbye!',
    kk: 'Сау болыңыз!',
  },
  {
    words:
      /^(а )?((сен кимсин|сиз кимсиз|сиз (ботсыз|роботсыз|адамсыз) ба|кто ты|ты кто|кто вы|вы кто|как (тебя|вас) зовут|что (ты|вы) (умеешь|умеете)|ты (бот|робот|человек)|вы (бот|робот|человек)|это бот)|(who are you|what are you|are you (a )?(bot|robot|human|real person|person|ai)|what can you do|what is your name))( (такой|такая|такие|или (бот|робот|человек)|or (a )?(bot|human|person)))*$/,
    ru: 'Я программа, а не человек и не языковая модель: нахожу в базе знаний предложения, которые отвечают на вопрос, и привожу их дословно.',
    en: 'I am a program, neither a person nor a language model: I find the sentences of the knowledge base that answer a question and quote them word for word.',
    kk: 'Мен адам да, тілдік модель де емеспін, бағдарламамын: білім базасынан сұраққа жауап беретін сөйлемдерді тауып, сөзбе-сөз келтіремін.',
  },
]

/** The reply to a message that is nothing but small talk; undefined for anything else. */
export function smallTalk(message: string, language: AnswerLanguage): string | undefined {
  const words = wordsOf(message)
  if (words.length === 0 || words.length > 8) return undefined
  const text = foldKazakh(words.join(' '))
  return TALKS.find((talk) => talk.words.test(text))?.[language]
}
