// Small businesses as documents are made from them: what each offers, is asked, and keeps to itself.

export type Language = 'ru' | 'en' | 'kk'
/** `old`: a price that holds no longer. */
export type Item = { name: string; price: number; old?: number }
export type Business = {
  kind: 'shop' | 'clinic' | 'hotel' | 'school' | 'bank'
  language: Language
  name: string
  items: Item[]
  faq: { question: string; answer: string }[]
  phone: string
  email: string
  hours: string
  /** Internal: no customer may see it. */
  secret: string
  words: { item: string; price: string; contacts: string; prices: string; questions: string }
}

const WORDS = {
  ru: {
    item: 'Наименование',
    price: 'Цена',
    contacts: 'Контакты',
    prices: 'Прайс-лист',
    questions: 'Вопросы и ответы',
  },
  en: { item: 'Item', price: 'Price', contacts: 'Contacts', prices: 'Price list', questions: 'Questions and answers' },
  kk: {
    item: 'Атауы',
    price: 'Бағасы',
    contacts: 'Байланыс',
    prices: 'Бағалар тізімі',
    questions: 'Сұрақтар мен жауаптар',
  },
}
const SECRETS = {
  ru: 'Внутреннее: закупочная скидка поставщика сорок процентов',
  en: 'Internal: the supplier gives a discount of forty percent',
  kk: 'Ішкі: жеткізуші қырық пайыз жеңілдік береді',
}

type Sketch = {
  kind: Business['kind']
  texts: Record<Language, { name: string; items: string[]; faq: [string, string][] }>
}

const SKETCHES: Sketch[] = [
  {
    kind: 'shop',
    texts: {
      ru: {
        name: 'Чайная лавка «Пар»',
        items: ['Чайник стальной', 'Улун молочный', 'Кружка керамическая', 'Термос дорожный'],
        faq: [
          ['Сколько идёт доставка по Алматы?', 'Курьер привезёт заказ за два дня.'],
          ['Как вернуть товар?', 'Верните его с чеком в течение четырнадцати дней.'],
        ],
      },
      en: {
        name: 'Steam Tea Shop',
        items: ['Steel kettle', 'Milk oolong', 'Ceramic mug', 'Travel flask'],
        faq: [
          ['How long does delivery to Almaty take?', 'A courier brings the order in two days.'],
          ['How do I return a kettle?', 'Bring it back with the receipt within fourteen days.'],
        ],
      },
      kk: {
        name: 'Бу шай дүкені',
        items: ['Болат шәйнек', 'Сүтті улун', 'Керамика кесе', 'Жол термосы'],
        faq: [
          ['Алматыға жеткізу қанша уақыт алады?', 'Курьер тапсырысты екі күнде әкеледі.'],
          ['Тауарды қалай қайтаруға болады?', 'Он төрт күн ішінде түбіртекпен әкеліңіз.'],
        ],
      },
    },
  },
  {
    kind: 'clinic',
    texts: {
      ru: {
        name: 'Клиника «Здрава»',
        items: ['Приём терапевта', 'УЗИ почек', 'Общий анализ крови', 'Чистка зубов'],
        faq: [
          ['Нужна ли подготовка к УЗИ?', 'Приходите натощак, не ешьте с вечера.'],
          ['Работаете ли вы со страховкой?', 'Да, принимаем полисы всех страховых компаний города.'],
        ],
      },
      en: {
        name: 'Zdrava Clinic',
        items: ['Visit to a therapist', 'Kidney ultrasound', 'Full blood count', 'Tooth cleaning'],
        faq: [
          ['Do I have to prepare for an ultrasound?', 'Come without breakfast and do not eat after the evening.'],
          ['Do you take insurance?', 'Yes, we take the policies of every insurer in town.'],
        ],
      },
      kk: {
        name: 'Здрава емханасы',
        items: ['Терапевт қабылдауы', 'Бүйрек УДЗ', 'Жалпы қан талдауы', 'Тіс тазалау'],
        faq: [
          ['УДЗ-ға дайындалу керек пе?', 'Аш қарынға келіңіз, кешкісін тамақ ішпеңіз.'],
          ['Сақтандырумен жұмыс істейсіз бе?', 'Иә, қаладағы барлық компаниялардың полисін қабылдаймыз.'],
        ],
      },
    },
  },
  {
    kind: 'hotel',
    texts: {
      ru: {
        name: 'Гостиница «Тау»',
        items: ['Номер стандарт', 'Номер люкс', 'Завтрак', 'Трансфер из аэропорта'],
        faq: [
          ['Можно ли с собакой?', 'Да, небольшие животные живут бесплатно.'],
          ['Есть ли парковка?', 'Во дворе есть охраняемая парковка для гостей.'],
        ],
      },
      en: {
        name: 'Tau Hotel',
        items: ['Standard room', 'Suite', 'Breakfast', 'Airport transfer'],
        faq: [
          ['May I bring a dog?', 'Yes, small animals stay free of charge.'],
          ['Is there parking?', 'Guests park in the guarded yard.'],
        ],
      },
      kk: {
        name: 'Тау қонақүйі',
        items: ['Стандарт бөлме', 'Люкс бөлме', 'Таңғы ас', 'Әуежайдан трансфер'],
        faq: [
          ['Итпен келуге бола ма?', 'Иә, кішкентай жануарлар тегін тұрады.'],
          ['Көлік тұрағы бар ма?', 'Аулада қонақтарға арналған күзетілетін тұрақ бар.'],
        ],
      },
    },
  },
  {
    kind: 'school',
    texts: {
      ru: {
        name: 'Школа языков «Слово»',
        items: ['Английский для детей', 'Разговорный клуб', 'Подготовка к экзамену', 'Пробный урок'],
        faq: [
          ['Сколько человек в группе?', 'В группе не больше восьми учеников.'],
          ['Можно ли заморозить абонемент?', 'Да, на месяц по заявлению.'],
        ],
      },
      en: {
        name: 'Word Language School',
        items: ['English for children', 'Conversation club', 'Exam course', 'Trial lesson'],
        faq: [
          ['How many people are in a group?', 'A group has no more than eight students.'],
          ['Can I pause my pass?', 'Yes, for a month upon request.'],
        ],
      },
      kk: {
        name: 'Сөз тіл мектебі',
        items: ['Балаларға ағылшын тілі', 'Сөйлесу клубы', 'Емтиханға дайындық', 'Сынақ сабағы'],
        faq: [
          ['Топта неше адам?', 'Топта сегіз оқушыдан аспайды.'],
          ['Абонементті тоқтатуға бола ма?', 'Иә, өтініш бойынша бір айға.'],
        ],
      },
    },
  },
  {
    kind: 'bank',
    texts: {
      ru: {
        name: 'Банк «Опора»',
        items: ['Выпуск карты', 'Перевод в другой банк', 'Справка о счёте', 'Аренда ячейки'],
        faq: [
          ['Как заблокировать карту?', 'Откройте приложение и нажмите кнопку блокировки.'],
          ['Какие документы нужны для счёта?', 'Достаточно удостоверения личности.'],
        ],
      },
      en: {
        name: 'Opora Bank',
        items: ['Card issue', 'Transfer to another bank', 'Account statement', 'Deposit box rent'],
        faq: [
          ['How do I block my card?', 'Open the app and press the block button.'],
          ['Which papers do I need for an account?', 'An identity card is enough.'],
        ],
      },
      kk: {
        name: 'Опора банкі',
        items: ['Карта шығару', 'Басқа банкке аударым', 'Шот анықтамасы', 'Ұяшық жалдау'],
        faq: [
          ['Картаны қалай бұғаттауға болады?', 'Қосымшаны ашып, бұғаттау түймесін басыңыз.'],
          ['Шот ашу үшін қандай құжаттар керек?', 'Жеке куәлік жеткілікті.'],
        ],
      },
    },
  },
]

/** Every business in every language, each with numbers of its own. */
export const BUSINESSES: Business[] = SKETCHES.flatMap(({ kind, texts }, at) =>
  (['ru', 'en', 'kk'] as const).map((language, of): Business => {
    const { name, items, faq } = texts[language]
    const base = 1_000 * (at + 2) + 130 * of
    return {
      kind,
      language,
      name,
      items: items.map((item, number) => ({
        name: item,
        price: base + number * 1_110,
        ...(number === 1 && { old: base + 3_333 }),
      })),
      faq: faq.map(([question, answer]) => ({ question, answer })),
      phone: `+7701${at}5500${of}1`,
      email: `info@${kind}-${language}.example`,
      hours: `0${at % 2 ? 9 : 8}:00–${17 + at}:30`,
      secret: SECRETS[language],
      words: WORDS[language],
    }
  }),
)
