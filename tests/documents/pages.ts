// Pages as website builders and people write them, from the facts of a business.
import type { Business, Item } from './businesses.ts'

const cookies = (language: string) =>
  language === 'en'
    ? '<div class="cookie-notice"><p>We use cookies.</p><button>Accept</button></div>'
    : '<div id="cookie-banner"><p>Мы используем cookie.</p><button>Принять</button></div>'
const spaced = (price: number) => price.toLocaleString('ru-RU').replaceAll(' ', '&nbsp;')
const page = (business: Business, body: string, head = '') =>
  `<!DOCTYPE html><html><head><meta charset="utf-8"><title>${business.name}</title>${head}<script>var total = 99999</script></head><body>${body}${cookies(business.language)}</body></html>`

function tilda(business: Business): string {
  const { words, items, faq } = business
  const cards = items.map(
    ({ name, price, old }) =>
      `<div class="t-store__card"><div class="t-store__card__title">${name}</div><div class="t-store__card__price-wrapper">${
        old
          ? `<div class="t-store__card__price t-store__card__price_old"><div class="js-product-price-old">${old}</div></div>`
          : ''
      }<div class="t-store__card__price"><div class="js-product-price">${price}</div><div>₸</div></div></div><a href="#order"><button>Купить</button></a></div>`,
  )
  const questions = faq.map(
    ({ question, answer }, at) =>
      `<div class="t668__wrapper"><div class="t668__header"><button type="button" class="t668__trigger-button" aria-controls="accordion${at}_7"><span class="t668__title">${question}</span><span class="t668__icon"><svg><path/></svg></span></button></div><div class="t668__content" id="accordion${at}_7" hidden><div class="t668__text">${answer}</div></div></div>`,
  )
  return page(
    business,
    `<div class="t-records"><div class="t-title">${business.name}</div><h2>${words.prices}</h2>${cards.join('')}<h2>${words.questions}</h2>${questions.join('')}
     <div class="seo-block" style="display:none">${business.secret}</div></div><footer><a href="tel:${business.phone}">Call</a><a href="mailto:${business.email}">Mail</a><span>${business.hours}</span></footer>`,
    '<style>.t-records{opacity:0}.t668__content{overflow:hidden}</style>',
  )
}

function woocommerce(business: Business): string {
  const { words } = business
  const price = ({ price: now, old }: Item) => {
    const amount = (value: number) =>
      `<span class="woocommerce-Price-amount amount"><bdi>${spaced(value)}<span>₸</span></bdi></span>`
    return `<span class="price">${old ? `<del aria-hidden="true">${amount(old)}</del><span class="screen-reader-text">.</span><ins>${amount(now)}</ins>` : amount(now)}</span>`
  }
  const items = business.items.map(
    (item) =>
      `<li class="product"><a href="/p/${item.price}/"><h2>${item.name}</h2>${price(item)}</a><a href="?add=1" class="button">Add</a></li>`,
  )
  const faq = business.faq.map(
    ({ question, answer }) =>
      `<details class="wp-block-details"><summary>${question}</summary><p>${answer}</p></details>`,
  )
  return page(
    business,
    `<nav><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul></nav><main><h1>${words.prices}</h1><ul class="products">${items.join('')}</ul><!-- wp:heading --><h2>${words.questions}</h2>${faq.join('')}
     <p>${words.contacts}: <a href="tel:${business.phone}"><i class="icon" aria-label="phone"></i></a> <a href="mailto:${business.email}">✉</a> ${business.hours}</p></main><aside><h3>Tags</h3></aside><!-- ${business.secret} -->`,
  )
}

function bitrix(business: Business): string {
  const { words } = business
  const rows = business.items.map(
    ({ name, price, old }) =>
      `<tr><td><a href="/catalog/${price}/">${name}</a></td><td>${old ? `<span class="product-item-price-old">${spaced(old)} ₸</span>` : ''}<span class="product-item-price-current">${spaced(price)} ₸</span></td></tr>`,
  )
  const tabs = business.faq.map(
    ({ question }, at) => `<li role="tab" class="product-item-detail-tab" data-value="q${at}">${question}</li>`,
  )
  const panels = business.faq.map(
    ({ answer }, at) =>
      `<div class="product-item-detail-tab-content" data-value="q${at}" style="display:none"><p>${answer}</p></div>`,
  )
  return page(
    business,
    `<table><tr><td>${business.name}</td></tr></table><table class="data-table"><thead><tr><th>${words.item}</th><th>${words.price}</th></tr></thead>${rows.join('')}</table>
     <ul class="tabs">${tabs.join('')}</ul>${panels.join('')}<div class="x">${business.secret}</div>
     <p>${business.hours}<br><a href="tel:${business.phone}">${words.contacts}</a><a href="mailto:${business.email}">${words.contacts}</a></p>`,
    '<style>.x{display:none}</style>',
  )
}

function bootstrap(business: Business): string {
  const { words } = business
  const items = business.items.map(
    ({ name, price, old }) => `<tr><td>${name}<td>${old ? `<s>${old}</s> ` : ''}${price}`,
  )
  const faq = business.faq.map(
    ({ question, answer }, at) =>
      `<div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button collapsed" data-bs-toggle="collapse" data-bs-target="#c${at}">${question}</button></h2><div id="c${at}" class="accordion-collapse collapse"><div class="accordion-body">${answer}</div></div></div>`,
  )
  return page(
    business,
    `<nav class="navbar"><button class="navbar-toggler" data-bs-toggle="collapse" data-bs-target="#menu"></button><div id="menu" class="collapse"><a href="/">Home</a></div><h1>${business.name}</h1>
     <h2>${words.prices}</h2><table class="table"><tr><th>${words.item}<th>${words.price}${items.join('')}</table><h2>${words.questions}</h2>${faq.join('')}
     <div hidden>${business.secret}</div><footer><address>${business.hours}</address><a href="https://wa.me/${business.phone.slice(1)}"><svg aria-label="WhatsApp"></svg></a><a href="mailto:${business.email}">${words.contacts}</a></footer>`,
    '<style>.collapse:not(.show){display:none}</style>',
  )
}

/** HTML by the builder that made it. */
export const PAGES = { tilda, woocommerce, bitrix, bootstrap }
