// What the built-in model says in its own words, in the languages in which it answers.

/** By language. */
export const EXTRACTIVE_TEXTS = {
  ru: {
    unknown:
      'Я не знаю: в базе знаний не нашлось ответа на этот вопрос. Попробуйте спросить другими словами. Я умею только цитировать то, что есть в базе знаний.',
    unclear: 'Уточните, пожалуйста, что именно вы хотите узнать? По этому вопросу в базе знаний ничего не нашлось.',
    uncounted:
      'Посчитать это по таблицам я не могу: из вопроса неясно, о какой таблице, каких строках и каком столбце речь. Уточните, пожалуйста.',
    handedOff: 'В базе знаний нет ответа на этот вопрос. Передаю его сотруднику: он ответит вам здесь.',
    noQuestion: 'Напишите, пожалуйста, вопрос словами, и я поищу ответ в базе знаний.',
    command: 'Команд я не знаю. Напишите вопрос обычными словами, и я поищу ответ в базе знаний.',
    source: 'Источник',
    page: 'стр.',
    quotes: ['«', '»'],
  },
  en: {
    unknown:
      'I do not know: the knowledge base has no answer to this question. Try asking in other words. All I can do is quote what is in the knowledge base.',
    unclear: 'What exactly would you like to know? The knowledge base has nothing about this question.',
    uncounted:
      'I cannot compute this: the question does not say clearly which table, rows and column it is about. Please be more specific.',
    handedOff:
      'The knowledge base has no answer to this question. I am passing it on to a colleague, who will answer you here.',
    noQuestion: 'Please write your question in words, and I will look for the answer in the knowledge base.',
    command:
      'I do not know any commands. Write your question in plain words, and I will look for the answer in the knowledge base.',
    source: 'Source',
    page: 'p.',
    quotes: ['“', '”'],
  },
  kk: {
    unknown:
      'Білмеймін: білім базасынан бұл сұраққа жауап табылмады. Басқаша сұрап көріңіз. Мен тек білім базасында бар мәтінді келтіре аламын.',
    unclear: 'Нақты не білгіңіз келетінін жазыңызшы? Бұл сұрақ бойынша білім базасынан ештеңе табылмады.',
    uncounted:
      'Мұны кестелер бойынша есептей алмаймын: сұрақта қай кесте, қай жолдар және қай баған екені анық айтылмаған. Нақтылап жазыңызшы.',
    handedOff:
      'Білім базасында бұл сұраққа жауап жоқ. Сұрағыңызды қызметкерге жіберемін: ол сізге осы жерде жауап береді.',
    noQuestion: 'Сұрағыңызды сөзбен жазыңызшы, мен жауабын білім базасынан іздеймін.',
    command: 'Мен командаларды білмеймін. Сұрағыңызды жай сөзбен жазыңыз, мен жауабын білім базасынан іздеймін.',
    source: 'Дереккөз',
    page: 'бет',
    quotes: ['«', '»'],
  },
} as const
