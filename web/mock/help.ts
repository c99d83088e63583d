import type { Handlers } from './operation.ts'

export const handlers: Handlers = {
  'GET /common/appeal-figures': () => ({
    days: 30,
    least: 20,
    figures: {
      filed: 148,
      buyer: 71,
      seller: 38,
      rejected: 9,
      withdrawn: 24,
      medianSeconds: 15_300,
      ninetyFivePercentSeconds: 70_200,
      withinDayPercent: 96,
    },
  }),
  'GET /common/log-keys': () => [
    { key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', current: true },
    { key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', current: false },
  ],
}
