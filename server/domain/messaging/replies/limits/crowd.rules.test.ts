// When visitors of web chats are asked to wait.
import { describe, expect, it } from 'vitest'
import {
  WEBCHAT_ORGANIZATION_ANSWERS_PER_HOUR,
  WEBCHAT_ORGANIZATION_NEW_VISITORS_PER_HOUR,
  WEBCHAT_SITE_ANSWERS_PER_HOUR,
  WEBCHAT_SITE_NEW_VISITORS_PER_HOUR,
} from '#shared/channels/visitor-ceilings.ts'
import { judgeCrowd } from './crowd.rules.ts'

const quiet = { newVisitors: 1, answers: 1 }

describe('a visitor', () => {
  it.each([
    ['the last new one of a site', true, { newVisitors: WEBCHAT_SITE_NEW_VISITORS_PER_HOUR }, {}, true],
    ['one more new one of a site', true, { newVisitors: WEBCHAT_SITE_NEW_VISITORS_PER_HOUR + 1 }, {}, false],
    ['a known one on the same site', false, { newVisitors: WEBCHAT_SITE_NEW_VISITORS_PER_HOUR + 1 }, {}, true],
    ['one more new one of all sites', true, {}, { newVisitors: WEBCHAT_ORGANIZATION_NEW_VISITORS_PER_HOUR + 1 }, false],
    ['a known one after the last answer of a site', false, { answers: WEBCHAT_SITE_ANSWERS_PER_HOUR + 1 }, {}, false],
    [
      'a known one after the last answer of all',
      false,
      {},
      { answers: WEBCHAT_ORGANIZATION_ANSWERS_PER_HOUR + 1 },
      false,
    ],
  ])('%s', (_who, isNew, site, organization, hasPassed) => {
    expect(judgeCrowd(isNew, { ...quiet, ...site }, { ...quiet, ...organization })).toMatchObject({ hasPassed })
  })

  it('that is stopped is shown what was counted, and against what', () => {
    const { facts } = judgeCrowd(true, { newVisitors: WEBCHAT_SITE_NEW_VISITORS_PER_HOUR + 1, answers: 9 }, quiet)
    expect(facts).toEqual({
      siteNewVisitors: WEBCHAT_SITE_NEW_VISITORS_PER_HOUR + 1,
      siteNewVisitorsLimit: WEBCHAT_SITE_NEW_VISITORS_PER_HOUR,
    })
  })
})
