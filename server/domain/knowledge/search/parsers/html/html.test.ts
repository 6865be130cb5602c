// What a reader can see or open on a page is content, and reads as displayed: links with their targets, old prices distinct from new ones.
import { describe, expect, it } from 'vitest'
import { cutChunks } from '../../chunking/chunker.ts'
import { parseMarkdown } from '../markdown.ts'
import { parseHtml } from './html.ts'

const blocks = (html: string, options = {}) => parseHtml(Buffer.from(html), options).blocks
const read = (html: string, options = {}) =>
  blocks(html, options)
    .map((block) => (block.kind === 'heading' ? `# ${block.text}` : block.text))
    .join('\n')

describe('what can be opened', () => {
  it.each([
    ['buttons in headings', '<h2><button>How long?</button></h2><div>Two days.</div>'],
    [
      'buttons alone',
      '<button aria-expanded="false" aria-controls="a">How long?</button><div id="a" hidden>Two days.</div>',
    ],
    ['details', '<details><summary>How long?</summary>Two days.</details>'],
    [
      'closed panels of a known name',
      '<div class="faq-item"><p>How long?</p><div class="body" style="display: none">Two days.</div></div>',
    ],
    [
      'a style sheet',
      '<style>.a{display:none}</style><div role="button">How long?</div><div class="a">Two days.</div>',
    ],
    [
      'Tilda',
      '<div class="t668__header"><button class="t668__trigger-button" aria-controls="accordion1_5">How long?</button></div><div class="t668__content" id="accordion1_5" hidden>Two days.</div>',
    ],
    [
      'Bootstrap',
      '<a data-bs-toggle="collapse" href="#c1">How long?</a><div id="c1" style="display:none">Two days.</div>',
    ],
    [
      'a check box',
      '<style>.c{max-height:0;overflow:hidden}</style><input type="checkbox" id="x"><label for="x">How long?</label><div class="c">Two days.</div>',
    ],
    ['read more', '<p>How long?</p><p style="display:none">Two days.</p><button>Show more</button>'],
    ['a question, and a script elsewhere', '<h3>How long?</h3><div style="display:none">Two days.</div>'],
    ['until found', '<p>How long?</p><p hidden="until-found">Two days.</p>'],
    ['a slide', '<p>How long?</p><div class="swiper-slide" style="visibility:hidden">Two days.</div>'],
    [
      'a pop-up by its hook',
      '<a href="#popup:time">How long?</a><div data-tooltip-hook="#popup:time" style="display:none">Two days.</div>',
    ],
  ])('is content: %s', (_, html) => {
    expect(read(html).replace(/^#+ /gm, '').split('\n').slice(0, 2)).toEqual(['How long?', 'Two days.'])
  })

  it('puts the name of a tab before what it opens', () => {
    const html = `<div role="tablist"><button role="tab" id="t1" aria-controls="p1">Delivery</button><button role="tab" id="t2" aria-controls="p2">Payment</button></div>
      <div role="tabpanel" id="p1">Two days.</div><div role="tabpanel" id="p2" hidden>By card.</div>`
    expect(read(html)).toBe('# Delivery\nTwo days.\n# Payment\nBy card.')
  })

  it.each([
    ['details', '<details><summary>How long?</summary>Two days.</details><p>Call us.</p>'],
    ['a button', '<div><button>How long?</button><div>Two days.</div></div><p>Call us.</p>'],
    ['a button in its own box', '<div><p><button>How long?</button></p><div>Two days.</div></div><p>Call us.</p>'],
    [
      'a tab',
      '<p><button role="tab" aria-controls="p">How long?</button></p><div id="p">Two days.</div><p>Call us.</p>',
    ],
  ])('ends where it closes: what stands below %s is no part of the answer', (_, html) => {
    const chunks = cutChunks(blocks(`<h2>Delivery</h2>${html}`)).map(({ headingPath, body }) => [headingPath, body])
    expect(chunks).toEqual([
      [['Delivery', 'How long?'], 'Two days.'],
      [['Delivery'], 'Call us.'],
    ])
  })

  it('ends where it closes in Markdown, too', () => {
    const text = '# Delivery\n\n<details><summary>How long?</summary>\n\nTwo days.\n\n</details>\n\nCall us.'
    expect(cutChunks(parseMarkdown(Buffer.from(text)).blocks).map(({ headingPath }) => headingPath)).toEqual([
      ['Delivery', 'How long?'],
      ['Delivery'],
    ])
  })

  it.each([
    ['scripts and templates', '<script>no</script><template>no</template><noscript>no</noscript><style>no</style>'],
    [
      'cookie banners',
      '<div class="cookie-banner"><p>We use cookies.</p><button>Accept all cookies now or later</button></div>',
    ],
    [
      'hidden texts that nothing opens',
      '<div hidden>no</div><p style="display:none">no</p><div style="visibility:hidden">no</div>',
    ],
    [
      'texts for robots only',
      '<div class="seo-text" style="display:none">no</div><p style="text-indent:-9999px">no</p><p style="position:absolute;left:-9999px">no</p><p style="font-size:0">no</p>',
    ],
    [
      'a style sheet that hides',
      '<style>@media screen{.x .y{display:none}} /* } */</style><div class="x"><b class="y">no</b></div>',
    ],
    ['buttons that do something', '<button>Buy</button><button>Добавить в корзину</button><button>×</button>'],
    ['icons', '<i class="material-icons">expand_more</i><svg aria-hidden="true"><title>no</title></svg>'],
  ])('and what cannot be seen or read is none: %s', (_, html) => {
    expect(read(`<p>Yes</p>${html}`)).toBe('Yes')
  })

  it('is not hidden by a rule for paper, or one that a later rule takes back', () => {
    expect(
      read('<style>@media print{p{display:none}} .a{display:none} p.a.b{display:block}</style><p class="a b">Yes</p>'),
    ).toBe('Yes')
  })

  it('can be asked for with what is hidden', () => {
    expect(read('<p>Yes</p><p hidden>Inside</p><!-- give them ten percent -->', { includeHidden: true })).toBe(
      'Yes\nInside\ngive them ten percent',
    )
  })

  it('keeps words about cookies where a bakery sells them', () => {
    expect(read('<div class="cookie-card">Cookie with oats, 500</div>')).toBe('Cookie with oats, 500')
  })
})

describe('links', () => {
  it.each([
    ['<a href="tel:+77010000001">Call us</a>', 'Call us (+77010000001)'],
    ['<a href="tel:+77010000001">+7 701 000-00-01</a>', '+7 701 000-00-01'],
    ['<a href="mailto:info@shop.example?subject=Hi">Write</a>', 'Write (info@shop.example)'],
    [
      '<a href="https://wa.me/77010000001"><svg aria-label="WhatsApp"></svg></a>',
      'WhatsApp (https://wa.me/77010000001)',
    ],
    ['<a href="https://t.me/shop"><img src="t.png" alt="Telegram"></a>', 'Telegram (https://t.me/shop)'],
    ['<a href="https://t.me/shop"><i class="fa fa-telegram"></i></a>', 'https://t.me/shop'],
    ['<a href="/files/price.pdf">Price list</a>', 'Price list (/files/price.pdf)'],
    ['<a href="/about">About us</a>', 'About us'],
    ['<a href="https://pay.example/x">Pay online</a>', 'Pay online (https://pay.example/x)'],
    ['<a href="tel:123"><div>Call</div><div>us</div></a>', 'Call (123)\nus'],
    ['<a href="javascript:void(0)">Open</a>', 'Open'],
    ['<map><area href="tel:+77010000001" alt="Call"><area href="#x" alt="no"></map>', 'Call (+77010000001)'],
    [
      `<span onclick="window.open('https://kaspi.kz/shop')">Buy at Kaspi</span>`,
      'Buy at Kaspi (https://kaspi.kz/shop)',
    ],
  ])('%s', (html, text) => {
    expect(read(html)).toBe(text)
  })

  it('are whole addresses where the page has one, without those within the site', () => {
    const url = 'https://shop.example/docs/a.html'
    expect(read('<a href="../p.pdf">Prices</a> <a href="https://shop.example/b">More</a>', { url })).toBe(
      'Prices (https://shop.example/p.pdf) More',
    )
  })

  it('are never one word', () => {
    expect(
      read('<a href="tel:1234567">Call</a><a href="mailto:a@b.kz">Write</a><a href="/x">Read</a><a href="/y">More</a>'),
    ).toBe('Call (1234567) Write (a@b.kz) Read More')
  })
})

describe('words', () => {
  it.each([
    ['<span>Tea</span><span>500</span>', 'Tea 500'],
    ['<b>Price:</b>500', 'Price:500'],
    ['<span>Call us</span><span>write</span>', 'Call us write'],
    ['4<span>990</span> ₸', '4 990 ₸'],
    ['<span>499</span><sup>90</sup>', '499⁹⁰'],
    ['20 м<sup>2</sup>', '20 м²'],
    ['<b>К</b>отёл', 'Котёл'],
    ['<i>К</i><i>о</i><i>т</i>', 'Кот'],
    ['un<wbr>believ&shy;able', 'unbelievable'],
    ['<table><tr><td><p>A</p>B<br>C</td><td>D<div>E</div>F</td></tr><tr><td>1</td><td>2</td></tr></table>', '1 | 2'],
    ['<price-tag>500</price-tag><price-tag>700</price-tag>', '500\n700'],
  ])('of %s stand as they are seen', (html, text) => {
    expect(read(html)).toBe(text)
  })
})

describe('struck text', () => {
  it.each([
    ['Tea <del>1 000</del> <ins>700</ins> KZT', 'Tea (old price: 1 000) 700 KZT'],
    ['Coffee <s>1000</s><b>700</b>', 'Coffee (old price: 1000) 700'],
    ['Чай <strike>1 000 ₸</strike>700 ₸', 'Чай (старая цена: 1 000 ₸) 700 ₸'],
    ['Tea <span style="text-decoration: line-through red">1000</span>700', 'Tea (old price: 1000) 700'],
    [
      '<style>.p s, .old{text-decoration-line:line-through}</style>Tea <b class="old">1000</b>700',
      'Tea (old price: 1000) 700',
    ],
    ['Tea <span class="product-price-old">1000</span><span>700</span>', 'Tea (old price: 1000) 700'],
    ['Tea <i class="old">1000 ₸</i> 700', 'Tea (old price: 1000 ₸) 700'],
    ['<b class="old">Old town</b> 700', 'Old town 700'],
    ['<del>Open on Sunday.</del> Closed on Sunday.', '(outdated: Open on Sunday.) Closed on Sunday.'],
    ['Tea <del></del>700', 'Tea 700'],
    ['<del><s>1000</s></del>700', '(old price: 1000) 700'],
  ])('of %s is marked as old', (html, text) => {
    expect(read(html)).toBe(text)
  })

  it('is marked in every block and cell that it goes through', () => {
    expect(read('<del><p>One</p><p>Two</p></del><p>Three</p>')).toBe('(outdated: One)\n(outdated: Two)\nThree')
    const row = '<tr style="text-decoration:line-through"><td>Tea</td><td>500</td></tr>'
    expect(read(`<table><tr><th>Item<th>Price</tr>${row}<tr><td>Coffee<td>900</table>`)).toBe(
      '(outdated: Tea) | (old price: 500)\nCoffee | 900',
    )
    const cell =
      '<tr><th>Item<th>Price<tr><td>Tea<td style="text-decoration:line-through">500<tr class="price-old"><td>Mug<td>900'
    expect(read(`<table>${cell}</table>`)).toBe('Tea | (old price: 500)\n(outdated: Mug) | (old price: 900)')
  })
})

describe('what page builders write', () => {
  it.each([
    [
      '<input type="button" value="Is there Wi-Fi?"><div class="panel" style="display:none">Yes.</div>',
      '# Is there Wi-Fi?\nYes.',
    ],
    [`<button onclick="location.href='tel:+77010000001'">Call us</button>`, 'Call us (+77010000001)'],
    [`<div role="button" onclick="window.open('https://wa.me/7701')">Write</div>`, 'Write (https://wa.me/7701)'],
    ['<a href="#" data-href="https://wa.me/7701">Write</a>', 'Write (https://wa.me/7701)'],
    [`<a href="javascript:void(0)" onclick="location='mailto:a@shop.kz'">Mail</a>`, 'Mail (a@shop.kz)'],
    [`<button onclick="open_cart('a')">Order</button><p>Tea</p>`, 'Tea'],
    ['Tea <span class="oldprice">1000</span> <span>700</span>', 'Tea (old price: 1000) 700'],
    ['Tea <span class="price_before">1000</span> <span>700</span>', 'Tea (old price: 1000) 700'],
    ['Tea <span class="product__compare-at-price">1000</span> <span>700</span>', 'Tea (old price: 1000) 700'],
    ['<p>Tea</p><p class="w-condition-invisible">Margin</p><p class="d-none">Margin</p>', 'Tea'],
    ['<p class="d-none d-md-block">Tea</p>', 'Tea'],
  ])('%s', (html, text) => {
    expect(read(html)).toBe(text)
  })
})

describe('a broken page', () => {
  it.each([
    ['<body><nav><ul><li>Home</ul><main><h1>Delivery</h1><p>Two days</p></main></body>', '# Delivery\nTwo days'],
    ['<nav><ul><li><a href="/">Home</a></ul><h2>Delivery</h2><p>Two days</p>', '# Delivery\nTwo days'],
    ['<aside><footer><header><p>Two days', 'Two days'],
    ['<body style="display:none"><p>Two days</p></body>', 'Two days'],
    ['<table><tr><td>A<td>B<tr><td>1<td>2</table><p>After', 'After'],
    ['<p>Two <b>days</p><p>more</b> text', 'Two days\nmore text'],
    ['<title>Open<p>not closed', ''],
  ])('is read as a browser shows it: %s', (html, text) => {
    expect(read(html)).toContain(text)
  })

  it('keeps how to reach the business from the frame of the page, before everything else', () => {
    const html =
      '<nav><a href="/">Home</a></nav><h1>FAQ</h1><p>Text</p><footer><p>All rights reserved</p><p>Open 9:00–18:00</p><a href="tel:+77010000001">Call</a></footer>'
    expect(read(html)).toBe('Open 9:00–18:00\nCall (+77010000001)\n# FAQ\nText')
  })
})

it('ticks and crosses of a table that are icons are its words', () => {
  const rows = [
    ['<i class="fa fa-check" aria-hidden="true"></i>', '<i class="fas fa-times"></i>'],
    ['<svg class="icon icon-tick"><use href="#a"/></svg>', '<svg><use xlink:href="/s.svg#icon-cross"/></svg>'],
    ['<img src="/img/check.svg" alt="">', '<i class="bi bi-x-lg"></i>'],
    ['<img src="yes.png" alt="included">', '<i class="fa fa-star"></i>'],
    ['<i class="fa fa-check"></i> 5 GB', '<i class="fa fa-shopping-cart-check"></i>500'],
  ]
  const html = rows.map((cells, at) => `<tr><td>${at}</td><td>${cells.join('</td><td>')}</td></tr>`).join('')
  expect(read(`<table><tr><th>Plan</th><th>Wi-Fi</th><th>Meals</th></tr>${html}</table>`)).toBe(
    '0 | ✓ | ✗\n1 | ✓ | ✗\n2 | ✓ | ✗\n3 | included | \n4 | ✓ 5 GB | 500',
  )
})
