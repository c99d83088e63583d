import { type I18n, type MessageDescriptor, type Messages, setupI18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Language } from '@/i18n/languages'

/** A text that officers send often. */
export interface Template {
  id: string
  title: MessageDescriptor
  text: MessageDescriptor
}

/** What officers write to the parties, in the order of a case. Each text must fit twice into a message. */
export const TEMPLATES: readonly Template[] = [
  {
    id: 'started',
    title: msg`I’m on this case`,
    text: msg`Hello, I’m looking at this appeal. I’ll write here once I’ve checked what both of you have said and added.`,
  },
  {
    id: 'statement',
    title: msg`Please add evidence`,
    text: msg`Please open the appeal and add a bank statement that shows the account holder’s name, the date and all transfers of that day. Don’t cover anything that concerns this order.`,
  },
  {
    id: 'account',
    title: msg`Whose account was it?`,
    text: msg`The payment has to come from an account in the buyer’s own name. Please tell me whose account it came from, and add proof of who holds it.`,
  },
  {
    id: 'wait',
    title: msg`The bank needs time`,
    text: msg`A transfer between banks can take up to two working days. I’ll check again after that. Please write here as soon as it arrives.`,
  },
  {
    id: 'stop',
    title: msg`Don’t pay or send anything`,
    text: msg`Please don’t pay, and don’t send anything, while the appeal is open. What is in escrow for this order is safe.`,
  },
  {
    id: 'here',
    title: msg`Write only here`,
    text: msg`Please write only in this chat. I can’t see what you agree on elsewhere, and it doesn’t count for the decision. MEC2C never asks for your password or a code.`,
  },
  {
    id: 'polite',
    title: msg`Please stay polite`,
    text: msg`Please stay polite and write only about this order. Insults don’t help your case.`,
  },
  {
    id: 'soon',
    title: msg`I’ll decide soon`,
    text: msg`Thank you, I have what I need and will decide soon. You’ll be notified of the decision and read my reasons at the appeal.`,
  },
]

const catalogs = import.meta.glob<{ messages: Messages }>('../locales/*.po')

/** Loads the texts of the console in languages. They are those of the readers, not of the officer. */
export async function textsIn(languages: readonly Pick<Language, 'tag'>[]): Promise<I18n[]> {
  return Promise.all(
    languages.map(async ({ tag }) => {
      const { messages } = (await catalogs[`../locales/${tag}.po`]?.()) ?? { messages: {} }
      return setupI18n({ locale: tag, messages: { [tag]: messages } })
    }),
  )
}

/** Returns a template in each of the languages, one below the other. */
export function textOf(template: Template, texts: readonly I18n[]): string {
  return texts.map((text) => text._(template.text)).join('\n\n')
}
