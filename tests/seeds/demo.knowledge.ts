// What the demonstration's hotel knows: documents and tables as they would be uploaded, and short notes. The hotel does not exist.

export type DemoDocument = { name: string; text: string }
export type DemoFragment = { name: string; content: string; alsoAskedAs?: string[] }
/** A CSV file, and the number of the column whose cells are found by what they say. */
export type DemoTable = DemoDocument & { column: number }
export type DemoSpace = {
  name: string
  description: string
  documents: DemoDocument[]
  tables: DemoTable[]
  fragments: DemoFragment[]
}

const RULES_RU = `# Правила проживания

## Заезд и выезд
Заезд в отель «Сосновый берег» начинается в 15:00, выезд до 12:00. Если номер готов раньше, мы заселим вас без доплаты.
Ранний заезд с 9:00 стоит 50 % суточного тарифа, до 9:00 оплачиваются полные сутки. Поздний выезд до 18:00 стоит 50 % суточного тарифа и подтверждается в день выезда.
Для заселения нужен паспорт каждого взрослого гостя и свидетельство о рождении ребёнка.

## Дети и дополнительные места
Дети до 6 лет живут бесплатно без отдельного места. Детская кроватка предоставляется бесплатно по запросу.
Дополнительное место для ребёнка от 6 до 14 лет стоит 1200 рублей в сутки с завтраком, для взрослого 2500 рублей.

## Домашние животные
Мы принимаем собак и кошек весом до 10 кг. Доплата составляет 1500 рублей за всё время проживания.
Животных нельзя оставлять одних в номере и приводить в ресторан и спа. Миску и лежанку выдаст администратор.

## Тишина и курение
Время тишины с 23:00 до 8:00. Курение запрещено во всех корпусах; места для курения отмечены на карте территории. Штраф за курение в номере 5000 рублей.

## Завтрак и ресторан
Завтрак «шведский стол» включён в стоимость и подаётся с 8:00 до 11:00 в ресторане «Залив».
Ресторан работает ежедневно с 8:00 до 23:00, кухня закрывается в 22:30. Ужин по меню, средний счёт 1800 рублей на человека.
Есть детское, постное и безглютеновое меню; о пищевой аллергии предупредите официанта.
`
const RATES_RU = `# Номера и тарифы

Цены указаны за номер в сутки с завтраком и действуют с 1 сентября по 30 апреля. Летом, в новогодние и майские праздники тарифы выше на 25 %.

## Категории
- Стандарт, 22 м², до двух гостей: 6900 рублей в будни и 8400 рублей в выходные.
- Комфорт с видом на озеро, 28 м², до трёх гостей: 8900 рублей в будни и 10 900 рублей в выходные.
- Семейный, две комнаты, 42 м², до пяти гостей: 12 500 рублей в будни и 14 900 рублей в выходные.
- Дом у воды с камином и баней, 75 м², до шести гостей: 24 000 рублей в будни и 29 000 рублей в выходные.

## Бронирование и оплата
Бронь подтверждается предоплатой 30 %. Остаток оплачивается при заезде картой, по СБП или наличными.
Бесплатная отмена возможна за 3 суток до заезда. При отмене позже удерживается стоимость первых суток.
При проживании от 5 ночей скидка 10 %, от 10 ночей 15 %. Скидки не складываются.
Именинникам в день рождения и три дня после него мы дарим скидку 10 % и комплимент от шефа.
`
const SPA_RU = `# Спа, баня и активный отдых

## Спа-комплекс
Бассейн 18 метров, хаммам и финская сауна открыты с 9:00 до 22:00. Для гостей отеля посещение с 9:00 до 14:00 бесплатно, в другое время 800 рублей за два часа. Дети до 12 лет плавают в сопровождении взрослых.
Массаж всего тела, 60 минут, стоит 3900 рублей. Запись по телефону или у администратора, лучше за день.
Халат, полотенца и тапочки выдаются на стойке спа. Купальник обязателен.

## Баня на дровах
Баня на берегу вмещает до восьми человек. Два часа стоят 6000 рублей, каждый следующий час 2500 рублей. Веники, чай с травами и простыни включены. Услуги банщика 3000 рублей.

## Прокат
Велосипед 400 рублей в час или 1500 рублей в день. Сап-доска 700 рублей в час, лодка на вёслах 600 рублей в час, с мая по сентябрь.
Зимой: беговые лыжи 500 рублей в час, коньки 300 рублей в час, тюбинг 250 рублей за 30 минут. Лыжная трасса 5 км освещена до 21:00.
`
const EVENTS_RU = `# Корпоративные мероприятия и свадьбы

## Залы
Конференц-зал «Кедр» вмещает 120 человек театром и 60 за столами; аренда 18 000 рублей за 4 часа или 30 000 рублей за день.
Переговорная «Ель» рассчитана на 14 человек и стоит 2500 рублей в час. В стоимость входят экран, проектор, флипчарт, вода и Wi-Fi.
Шатёр на берегу на 80 гостей стоит 45 000 рублей в день, с мая по сентябрь.

## Питание групп
Кофе-пауза 550 рублей на человека, бизнес-ланч 900 рублей, банкет от 4500 рублей на гостя без алкоголя. Свой алкоголь можно принести с пробковым сбором 300 рублей за бутылку.
Для групп от 20 человек действует скидка 12 % на проживание; от 40 человек отдельный тариф по договору.

## Свадьбы
Свадебный пакет на 40 гостей стоит 320 000 рублей: шатёр, банкет, украшение цветами, номер для молодожёнов. Выездная регистрация 35 000 рублей. Дату держим бесплатно 5 дней, затем нужна предоплата 20 %.

## Подарочные сертификаты
Сертификаты есть на 5000, 10 000 и 20 000 рублей и на «Выходные вдвоём» за 24 900 рублей (две ночи, ужин, спа). Срок действия один год. Электронный сертификат приходит на почту сразу после оплаты, бумажный доставляем курьером за 400 рублей.
`
const PRICES_RU = `Услуга;Раздел;Цена;За что;Для детей
Массаж всего тела;Спа;3900;60 минут;нет
Массаж спины;Спа;2400;30 минут;нет
Обёртывание с можжевельником;Спа;3200;50 минут;нет
Посещение спа-комплекса;Спа;800;2 часа;да
Баня на дровах;Баня;6000;2 часа;да
Дополнительный час бани;Баня;2500;час;да
Услуги банщика;Баня;3000;визит;нет
Велосипед;Прокат;400;час;да
Велосипед на день;Прокат;1500;день;да
Сап-доска;Прокат;700;час;нет
Лодка на вёслах;Прокат;600;час;да
Беговые лыжи;Прокат;500;час;да
Коньки;Прокат;300;час;да
Тюбинг;Прокат;250;30 минут;да
Трансфер из аэропорта;Дорога;6500;машина;да
Доставка сертификата курьером;Дорога;400;адрес;нет
`
const PRICES_EN = `Service,Section,Price,Per,For children
Full body massage,Spa,3900,60 minutes,no
Pool and saunas,Spa,800,two hours,yes
Wood-fired bath house,Bath house,6000,two hours,yes
Bicycle,Hire,400,hour,yes
Cross-country skis,Hire,500,hour,yes
Skates,Hire,300,hour,yes
Airport transfer by car,Transfer,6500,car,yes
Airport transfer by minivan,Transfer,9000,minivan,yes
Room service,Restaurant,300,delivery,yes
`
const GUIDE_EN = `# Guest guide

## Arrival and departure
Check-in starts at 3 p.m. and check-out is until 12 noon. Early check-in from 9 a.m. and late check-out until 6 p.m. cost half of the daily rate each, if the room is free.
Every adult needs a passport. Visa support letters are issued free of charge within two working days after the deposit is paid.

## Getting here
The hotel stands on the shore of Lake Sosnovoye, 96 km from the city airport. Our transfer from the airport costs 6500 roubles for a car with up to three passengers and 9000 roubles for a minivan with up to seven. Please book it at least 24 hours ahead.
From the railway station a shuttle leaves at 11:30 and 16:30 every day; it takes 40 minutes and is free for guests. Parking on the grounds is free, and there are four charging points for electric cars.

## Meals
The buffet breakfast is included and served from 8 to 11 a.m. The restaurant is open from 8 a.m. to 11 p.m. Vegetarian, vegan and gluten-free dishes are marked on the menu. Room service costs 300 roubles a delivery and runs until 10 p.m.

## Wi-Fi and work
Wi-Fi is free in all rooms, about 100 Mbit per second. The library on the second floor has desks and a printer and is open around the clock.

## Children and pets
Children under 6 stay free without an extra bed. An extra bed for a child from 6 to 14 costs 1200 roubles a night. Cots are free. Dogs and cats up to 10 kg are welcome for 1500 roubles a stay.
`
const RATES_EN = `# Rates and booking terms

Rates are per room and night with breakfast, from 1 September to 30 April. In summer and on public holidays they are 25 % higher.

- Standard, 22 m², up to two guests: 6900 roubles on weekdays and 8400 roubles at weekends.
- Comfort with a lake view, 28 m², up to three guests: 8900 roubles on weekdays and 10,900 roubles at weekends.
- Family, two rooms, 42 m², up to five guests: 12,500 roubles on weekdays and 14,900 roubles at weekends.
- Lake house with fireplace and sauna, 75 m², up to six guests: 24,000 roubles on weekdays and 29,000 roubles at weekends.

A booking is confirmed by a deposit of 30 %. Cancellation is free until three days before arrival; later the first night is charged.
Stays of five nights or more get 10 % off, ten nights or more 15 % off.
We accept bank cards and cash. The deposit can be paid by card or by bank transfer in euros.
Spa: the pool, hammam and sauna are free for guests from 9 a.m. to 2 p.m. and cost 800 roubles for two hours at other times. A full body massage of 60 minutes costs 3900 roubles.
`

/** The hotel's site, as path → title, sentence and where it leads. Its pages become documents of the Russian space. */
export const DEMO_SITE: { host: string; pages: Record<string, [title: string, text: string, ...links: string[]]> } = {
  host: 'pine-shore.example',
  pages: {
    '/': [
      'Отель «Сосновый берег»',
      'Загородный отель на берегу озера Сосновое: 48 номеров, спа, ресторан и собственный пляж.',
      '/news',
      '/vacancies',
    ],
    '/news': [
      'Новости отеля',
      'С 1 декабря открыт каток с подсветкой, прокат коньков работает до 21:00. В январе по субботам гостей ждёт экскурсия на снегоходах.',
    ],
    '/vacancies': [
      'Вакансии',
      'Приглашаем администратора и повара. Жильё для сотрудников предоставляется, резюме ждём по адресу job@pine-shore.example.',
    ],
  },
}

/** Two spaces: Russian for guests and sales, English for the booking desk. */
export const DEMO_SPACES: { ru: DemoSpace; en: DemoSpace } = {
  ru: {
    name: 'База знаний отеля',
    description: 'Правила, тарифы, спа и мероприятия отеля «Сосновый берег»',
    documents: [
      { name: 'Правила проживания.md', text: RULES_RU },
      { name: 'Номера и тарифы.md', text: RATES_RU },
      { name: 'Спа и отдых.md', text: SPA_RU },
      { name: 'Мероприятия и сертификаты.md', text: EVENTS_RU },
    ],
    tables: [{ name: 'Прайс услуг.csv', text: PRICES_RU, column: 1 }],
    fragments: [
      {
        name: 'Как до вас доехать?',
        content:
          'Отель стоит на берегу озера Сосновое, 96 км от аэропорта. От вокзала ходит бесплатный автобус для гостей в 11:30 и 16:30, дорога занимает 40 минут. Трансфер из аэропорта стоит 6500 рублей за машину до трёх человек.',
        alsoAskedAs: ['как добраться', 'где вы находитесь', 'есть ли трансфер'],
      },
      {
        name: 'Есть ли парковка?',
        content:
          'Парковка на территории бесплатная, место бронировать не нужно. Есть четыре зарядки для электромобилей.',
      },
      {
        name: 'Какой пароль от Wi-Fi?',
        content: 'Wi-Fi бесплатный, сеть SosnovyBereg. Пароль указан на карточке в номере; скорость около 100 Мбит/с.',
        alsoAskedAs: ['интернет в номере'],
      },
      {
        name: 'Нужны ли документы для бассейна?',
        content:
          'Справка для бассейна не нужна. Детям до трёх лет нужны специальные подгузники, их можно купить на стойке спа.',
      },
      {
        name: 'Вы выдаёте отчётные документы?',
        content:
          'Да, при выезде мы выдаём счёт, кассовый чек и акт. Для организаций работаем по договору и безналичному расчёту.',
      },
    ],
  },
  en: {
    name: 'Hotel guide',
    description: 'What guests from abroad ask about Pine Shore Hotel',
    documents: [
      { name: 'Guest guide.md', text: GUIDE_EN },
      { name: 'Rates and booking terms.md', text: RATES_EN },
    ],
    tables: [{ name: 'Services.csv', text: PRICES_EN, column: 1 }],
    fragments: [
      {
        name: 'Is there anything to do in winter?',
        content:
          'In winter there are a lit ski track of 5 km, an ice rink and tubing. Cross-country skis cost 500 roubles an hour, skates 300 roubles an hour. The wood-fired bath house by the lake costs 6000 roubles for two hours.',
      },
      {
        name: 'Do you speak English?',
        content: 'The front desk speaks English around the clock, and the restaurant has an English menu.',
      },
      {
        name: 'Can I store my luggage?',
        content: 'Yes, luggage is kept free of charge before check-in and after check-out.',
      },
    ],
  },
}
