// Conversations of the demonstration, as templates. `{…}` is replaced by one of SLOTS, the same throughout one conversation;
// `{дата}` and `{date}` by a day some weeks later.
// A turn: who speaks and what; an agent's turn names the document or note that it quotes, or the table that it has asked, where there is one.

export type DemoAgentKey = 'support' | 'sales' | 'booking'
export type DemoTurn = {
  by: 'customer' | 'agent' | 'operator'
  text: string
  source?: string
  /** What was asked of the table that is the source, as a model fills it in; without the table's id. */
  question?: object
}
export type DemoDialogue = { agent: DemoAgentKey; language: 'ru' | 'en'; turns: DemoTurn[] }

/** Words by which one template becomes many conversations. */
export const SLOTS: Record<string, string[]> = {
  привет: ['Здравствуйте!', 'Добрый день!', 'Добрый вечер!', 'Привет!', 'Доброе утро!'],
  день: ['в субботу', 'в пятницу', 'в воскресенье', 'завтра', 'на этих выходных', 'на следующей неделе'],
  гости: ['двоих', 'троих', 'четверых', 'семьи с ребёнком', 'двоих взрослых и двоих детей'],
  группа: ['25', '30', '45', '60', '80', '100'],
  спасибо: [
    'Спасибо!',
    'Понятно, спасибо',
    'Отлично, благодарю',
    'Супер, спасибо большое',
    'Спасибо за быстрый ответ!',
  ],
  hello: ['Hello!', 'Hi,', 'Good morning!', 'Good evening,', 'Hi there!'],
  nights: ['two nights', 'three nights', 'a weekend', 'five nights', 'a week'],
  people: ['two adults', 'two adults and a child', 'a family of four', 'three friends'],
  thanks: ['Thank you!', 'Great, thanks', 'Perfect, thank you very much', 'Thanks for the quick reply!'],
}

const RULES = 'Правила проживания.md'
const RATES = 'Номера и тарифы.md'
const SPA = 'Спа и отдых.md'
const EVENTS = 'Мероприятия и сертификаты.md'
const PRICES = 'Прайс услуг.csv'
const SERVICES = 'Services.csv'
const GUIDE = 'Guest guide.md'
const TERMS = 'Rates and booking terms.md'

const customer = (text: string): DemoTurn => ({ by: 'customer', text })
const operator = (text: string): DemoTurn => ({ by: 'operator', text })
const agent = (text: string, source?: string): DemoTurn => ({ by: 'agent', text, ...(source && { source }) })
const computed = (text: string, source: string, question: object): DemoTurn => ({ by: 'agent', text, source, question })
const support = (...turns: DemoTurn[]): DemoDialogue => ({ agent: 'support', language: 'ru', turns })
const sales = (...turns: DemoTurn[]): DemoDialogue => ({ agent: 'sales', language: 'ru', turns })
const booking = (...turns: DemoTurn[]): DemoDialogue => ({ agent: 'booking', language: 'en', turns })

/** Every template; longer ones tell more of a story. */
export const DIALOGUES: DemoDialogue[] = [
  support(
    customer('{привет} Что из проката дешевле 500 рублей? Едем с детьми'),
    computed(
      'Дешевле 500 рублей три позиции: тюбинг 250 рублей за 30 минут, коньки 300 рублей в час и велосипед 400 рублей в час. Все подходят детям.',
      PRICES,
      {
        filters: [
          { column: 2, operator: 'eq', value: 'Прокат' },
          { column: 3, operator: 'lt', value: 500 },
        ],
        sort: { column: 3, direction: 'asc' },
      },
    ),
    customer('А в каком разделе больше всего выбора?'),
    computed(
      'Больше всего в прокате: 7 позиций, от 250 до 1500 рублей. В спа 4 услуги, в бане 3, с дорогой связаны 2.',
      PRICES,
      {
        groupBy: 2,
        aggregates: [{ function: 'count' }, { function: 'min', column: 3 }, { function: 'max', column: 3 }],
        sort: { aggregate: 1, direction: 'desc' },
      },
    ),
    customer('{спасибо}'),
  ),
  booking(
    customer('{hello} What are your two most expensive services?'),
    computed(
      'The airport transfer by minivan at 9000 roubles and the one by car at 6500 roubles; the bath house follows with 6000 roubles for two hours.',
      SERVICES,
      { sort: { column: 3, direction: 'desc' }, limit: 3 },
    ),
    customer('{thanks}'),
  ),
  support(
    customer('{привет} Во сколько у вас заезд?'),
    agent('Заезд с 15:00, выезд до 12:00. Если номер готов раньше, заселим без доплаты.', RULES),
    customer('А если приедем в 10 утра?'),
    agent('Ранний заезд с 9:00 стоит 50 % суточного тарифа. Вещи можно оставить у администратора бесплатно.', RULES),
    customer('{спасибо}'),
    agent('Пожалуйста! Хорошей дороги.'),
  ),
  support(
    customer('{привет} Можно ли с собакой? Джек-рассел, 7 кг'),
    agent(
      'Да, принимаем собак и кошек до 10 кг. Доплата 1500 рублей за всё время проживания, лежанку и миску выдаст администратор.',
      RULES,
    ),
    customer('А в ресторан с ней пустят?'),
    agent('К сожалению, в ресторан и спа с животными нельзя.', RULES),
    customer('{спасибо}'),
  ),
  support(
    customer('до скольки завтрак?'),
    agent('Завтрак «шведский стол» подаётся с 8:00 до 11:00 в ресторане «Залив», он включён в стоимость.', RULES),
  ),
  support(
    customer('{привет} Бассейн для гостей бесплатный?'),
    agent('С 9:00 до 14:00 посещение для гостей бесплатно, в другое время 800 рублей за два часа.', SPA),
    customer('Справка нужна? Мы с ребёнком 4 лет'),
    agent('Справка не нужна. Дети до 12 лет плавают в сопровождении взрослых.', SPA),
    customer('{спасибо}'),
  ),
  support(
    customer('Как до вас добраться без машины?'),
    agent(
      'От вокзала ходит бесплатный автобус для гостей в 11:30 и 16:30, дорога занимает 40 минут.',
      'Как до вас доехать?',
    ),
    customer('Приезжаем поездом в 17:10, не успеем'),
    agent(
      'Тогда удобнее такси или трансфер. Трансфер из аэропорта стоит 6500 рублей за машину до трёх человек; цену от вокзала уточнит администратор.',
      'Как до вас доехать?',
    ),
    operator(
      'Здравствуйте! Это Мария, администратор. От вокзала пришлём машину за 1800 рублей, водитель встретит с табличкой. Подтверждаем?',
    ),
    customer('Да, подтверждаем, нас двое'),
    operator('Записала на 17:10, двое. Номер машины пришлю за час.'),
  ),
  support(
    customer('Забыли в номере 214 зарядку от ноутбука, выехали {день}'),
    agent('Сожалею, что так вышло. Проверить найденные вещи я не могу, передаю вопрос администратору.'),
    operator('Нашли вашу зарядку, она на стойке. Можем отправить курьером за ваш счёт или подержать месяц.'),
    customer('Отправьте, пожалуйста, адрес пришлю чуть позже'),
  ),
  support(
    customer('{привет} В номере холодно, батарея еле тёплая. Номер 118'),
    agent('Простите за неудобство. Передаю дежурному администратору, чтобы он связался с вами.'),
    operator('Инженер уже идёт к вам. Пока он работает, приглашаем в лобби на чай.'),
    customer('Спасибо, пришёл, починил'),
    operator('Рады, что тепло. Напишите, если что-то ещё понадобится.'),
  ),
  support(
    customer('Сколько стоит массаж и как записаться?'),
    agent(
      'Массаж всего тела, 60 минут, стоит 3900 рублей. Запись по телефону или у администратора, лучше за день.',
      SPA,
    ),
    customer('А баня?'),
    agent(
      'Баня на дровах вмещает до восьми человек: два часа 6000 рублей, каждый следующий час 2500 рублей. Веники и чай включены.',
      SPA,
    ),
    customer('{спасибо}'),
  ),
  support(
    customer('Какие документы нужны на ребёнка?'),
    agent('На ребёнка нужно свидетельство о рождении, на взрослых паспорта.', RULES),
    customer('{спасибо}'),
    agent('Пожалуйста!'),
  ),
  support(
    customer('вы даете закрывающие документы для бухгалтерии'),
    agent(
      'Да, при выезде выдаём счёт, кассовый чек и акт. Для организаций работаем по договору и безналичному расчёту.',
      'Вы выдаёте отчётные документы?',
    ),
  ),
  support(
    customer('{привет} есть ли у вас прокат сноубордов?'),
    agent('В нашей базе есть беговые лыжи, коньки и тюбинг, о сноубордах я ничего не нашёл. Уточнить у проката?', SPA),
    customer('не, тогда лыжи. сколько стоят?'),
    agent('Беговые лыжи 500 рублей в час. Трасса 5 км освещена до 21:00.', SPA),
  ),
  sales(
    customer('{привет} Хотим провести тимбилдинг на {группа} человек {дата}'),
    agent(
      'Здравствуйте! На такое число гостей подойдёт зал «Кедр»: 30 000 рублей за день, экран и проектор включены. Нужны ли проживание и питание?',
      EVENTS,
    ),
    customer('Да, одна ночь и ужин'),
    agent(
      'Для групп от 20 человек скидка 12 % на проживание. Банкет от 4500 рублей на гостя без алкоголя. Передать запрос менеджеру для расчёта?',
      EVENTS,
    ),
    customer('Да, передайте'),
    operator('Добрый день, Ольга, отдел мероприятий. Пришлю расчёт на почту сегодня до 18:00. Куда направить?'),
    customer('event@company.example'),
    operator('Отправила два варианта меню и договор. Дату держу за вами 5 дней.'),
  ),
  sales(
    customer('Сколько стоит свадьба на 40 человек?'),
    agent(
      'Свадебный пакет на 40 гостей стоит 320 000 рублей: шатёр, банкет, украшение цветами и номер для молодожёнов.',
      EVENTS,
    ),
    customer('А выездная регистрация?'),
    agent('Выездная регистрация 35 000 рублей. Дату держим бесплатно 5 дней, затем нужна предоплата 20 %.', EVENTS),
    customer('{спасибо} Обсудим и вернёмся'),
  ),
  sales(
    customer('{привет} Хочу купить подарочный сертификат для родителей'),
    agent(
      'Есть сертификаты на 5000, 10 000 и 20 000 рублей и «Выходные вдвоём» за 24 900 рублей: две ночи, ужин и спа.',
      EVENTS,
    ),
    customer('Сколько он действует и как получить?'),
    agent(
      'Срок действия один год. Электронный приходит на почту сразу после оплаты, бумажный доставим курьером за 400 рублей.',
      EVENTS,
    ),
    customer('{спасибо}'),
  ),
  sales(
    customer('Сколько стоит номер для {гости} {дата}?'),
    agent(
      'В будни: стандарт 6900, комфорт с видом на озеро 8900, семейный 12 500 рублей за сутки с завтраком. В выходные 8400, 10 900 и 14 900 рублей.',
      RATES,
    ),
    customer('Скидки бывают?'),
    agent('При проживании от 5 ночей скидка 10 %, от 10 ночей 15 %. Именинникам 10 %.', RATES),
    customer('Тогда семейный на 5 ночей. Как забронировать?'),
    agent('Бронь подтверждается предоплатой 30 %, остаток при заезде. Отмена бесплатна за 3 суток до заезда.', RATES),
  ),
  sales(
    customer('Переговорка на час есть? Нас 10 человек'),
    agent('Да, переговорная «Ель» на 14 человек, 2500 рублей в час. Экран, флипчарт и Wi-Fi включены.', EVENTS),
    customer('{спасибо}'),
  ),
  sales(
    customer('{привет} Можно свой алкоголь на банкет?'),
    agent('Да, пробковый сбор 300 рублей за бутылку.', EVENTS),
    customer('А торт свой?'),
    agent('О своём торте в наших правилах ничего не сказано. Спрошу у менеджера ресторана, если вы не против.'),
    customer('Да, спросите'),
    operator('Торт можно привезти с документами от кондитерской, сбор за нарезку 1500 рублей.'),
  ),
  booking(
    customer('{hello} do you have a room for {people} from {date}, {nights}?'),
    agent(
      'Hello! I can tell you about our rooms: Standard for two, Comfort with a lake view for three, Family for five and the Lake house for six. Live availability is confirmed by the front desk. Which one would you like?',
      TERMS,
    ),
    customer('Comfort please, how much is it?'),
    agent(
      'Comfort costs 8900 roubles on weekdays and 10,900 roubles at weekends, breakfast included. A deposit of 30 % confirms the booking.',
      TERMS,
    ),
    customer('Can I pay by Visa?'),
    agent('Yes. The deposit is paid by card or by bank transfer, the rest on arrival, by card or in cash.', TERMS),
    operator(
      'Hello, this is Maria from the front desk. Comfort is free for your dates, I have held it until tomorrow evening. Shall I send the invoice?',
    ),
    customer('Yes please! I will write it in the next message.'),
  ),
  booking(
    customer('{hello} how do I get from the airport to the hotel?'),
    agent(
      'The airport is 96 km away. Our transfer costs 6500 roubles for a car with up to three passengers and 9000 roubles for a minivan. Please book it at least 24 hours ahead.',
      GUIDE,
    ),
    customer('{thanks}'),
    agent('You are welcome! Have a good flight.'),
  ),
  booking(
    customer('What time is check-in? We land at 7am'),
    agent(
      'Check-in starts at 3 p.m. Early check-in from 9 a.m. costs half of the daily rate if the room is free. Luggage is kept free of charge.',
      GUIDE,
    ),
    customer('{thanks}'),
  ),
  booking(
    customer('{hello} is breakfast included and do you have vegan options?'),
    agent(
      'Yes, the buffet breakfast is included, from 8 to 11 a.m. Vegetarian, vegan and gluten-free dishes are marked on the menu.',
      GUIDE,
    ),
  ),
  booking(
    customer('Can I cancel my booking for {date}? Something came up'),
    agent(
      'Cancellation is free until three days before arrival; later the first night is charged. Shall I pass your request to the front desk?',
      TERMS,
    ),
    customer('Yes, it is in my name'),
    operator('Hello! I found it: your booking is cancelled free of charge and the deposit is on its way back to you.'),
    customer('{thanks}'),
  ),
  booking(
    customer('Is the wifi good enough for video calls?'),
    agent(
      'Wi-Fi is free in all rooms, about 100 Mbit per second. The library on the second floor has desks and is open around the clock.',
      GUIDE,
    ),
    customer('{thanks}'),
  ),
  booking(
    customer('{hello} what can we do there in winter?'),
    agent(
      'There are a lit ski track of 5 km, an ice rink and tubing. Skis cost 500 roubles an hour, skates 300. The bath house by the lake costs 6000 roubles for two hours.',
      'Is there anything to do in winter?',
    ),
    customer('Sounds lovely. Is there a helicopter tour?'),
    agent(
      'I know nothing of helicopter tours, sorry. The front desk may know operators nearby. Would you like me to ask?',
    ),
    customer('No worries, {thanks}'),
  ),
  booking(
    customer('We need a visa letter for {people}'),
    agent('Visa support letters are issued free of charge within two working days after the deposit is paid.', GUIDE),
    customer('{thanks}'),
  ),
]

/** People who write, by language. */
export const NAMES = {
  ru: [
    'Анна Соколова',
    'Дмитрий Орлов',
    'Елена Кузнецова',
    'Игорь Волков',
    'Марина Лебедева',
    'Сергей Новиков',
    'Ольга Морозова',
    'Алексей Павлов',
    'Наталья Фёдорова',
    'Павел Егоров',
    'Татьяна Зайцева',
    'Кирилл Беляев',
    'Юлия Громова',
    'Андрей Титов',
    'Светлана Комарова',
    'Роман Гусев',
    'Айгуль Сагитова',
    'Тимур Ахметов',
    'Вера Полякова',
    'Артём Жуков',
    'Ирина Савельева',
    'Максим Крылов',
    'Дарья Белова',
    'Никита Осипов',
    'Полина Тарасова',
    'Олег Мельников',
    'Ксения Рябова',
    'Виктор Сухов',
  ],
  en: [
    'Emma Weber',
    'James Carter',
    'Sofia Rossi',
    'Liam Murphy',
    'Chen Wei',
    'Lucas Martin',
    'Aiko Tanaka',
    'Oliver Smith',
    'Elif Yılmaz',
    'Noah Fischer',
    'Priya Nair',
    'Hannah Berg',
    'Mateo García',
    'Grace Kim',
    'Daniel Novak',
    'Chloé Dubois',
  ],
} as const
