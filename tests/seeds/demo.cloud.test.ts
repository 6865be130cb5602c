// The demo restarts while a user connects its numbers: the fake of Meta keeps the state that Meta would have kept.
import { expect, it } from 'vitest'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { api, startApp } from '#tests/app.ts'
import { startFakeInstagram } from '#tests/fakes/instagram/instagram.ts'
import { startFakeWhatsappCloud } from '#tests/fakes/whatsapp-cloud/whatsapp-cloud.ts'
import { addDemoNumber, rememberNumber } from './demo.cloud.ts'
import { addDemoAccount, rememberAccount } from './demo.instagram.ts'

it('after a restart before the address is entered, customers of the number and of the account are answered', async () => {
  const cloud = await startFakeWhatsappCloud()
  const instagram = await startFakeInstagram()
  const config = { publicUrl: 'https://parley.example', hasPublicUrl: true }
  const app = await startApp({ whatsappCloud: cloud, instagram, config })
  cloud.webhookOrigin = () => app.url
  instagram.webhookOrigin = () => app.url
  const person = await app.signUp()
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper', model: EXTRACTIVE_MODEL })
  const { phoneNumberId, accountId, accessToken, appSecret } = addDemoNumber(cloud)
  const entered = { agentId, phoneNumberId, accountId, accessToken, appSecret }
  const { _id: cloudId } = await person.http.action(api.channels.whatsappCloud.provision, entered)
  const account = addDemoAccount(instagram)
  const theirs = { accessToken: account.accessToken, appSecret: account.app.secret }
  const asked = { agentId, channel: 'instagram' as const, entered: theirs }
  const { _id: instagramId } = await person.http.action(api.channels.messengers.provision, asked)

  // After a restart.
  const number = addDemoNumber(cloud)
  await rememberNumber(number, app.database, app.url)
  expect(number).toMatchObject({ isSubscribed: true, appWebhook: null })
  const again = addDemoAccount(instagram)
  await rememberAccount(again, app.database, app.url)
  expect(again.subscribedFields).toContain('messages')

  const webhook = await person.http.action(api.channels.whatsappCloud.webhook, { connectionId: cloudId })
  await cloud.enterWebhook(phoneNumberId, { url: webhook.callbackUrl, verifyToken: webhook.verifyToken })
  cloud.customerSays(phoneNumberId, { phone: '77001234567', name: 'Anna' }, 'Hello')
  await cloud.waitFor(() => cloud.sentTo('77001234567').length > 0, 'the answer')
  const instagramWebhook = await person.http.action(api.channels.messengers.webhook, { connectionId: instagramId })
  await instagram.enterWebhook(again.userId, {
    url: instagramWebhook.callbackUrl,
    verifyToken: instagramWebhook.verifyToken ?? '',
  })
  instagram.customerSays(again.userId, { id: '4242000000', name: 'Anna', username: 'anna' }, 'Hello')
  await instagram.waitFor(() => instagram.sentTo('4242000000').length > 0, 'the answer')

  await rememberNumber(addDemoNumber(cloud), app.database, app.url)
  expect(cloud.number(phoneNumberId).appWebhook?.url).toContain('/webhooks/whatsappCloud/')
  await app.close()
  await cloud.close()
  await instagram.close()
})
