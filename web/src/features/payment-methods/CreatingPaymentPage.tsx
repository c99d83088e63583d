import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import { keys } from '@/api/queries'
import type { MethodField, MethodForm, PaymentMethod } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { useCommand } from '@/command/useCommand'
import { useMethodNames } from '@/components/methodNames'
import { useFieldName } from '@/components/methods/useFieldName'
import { useOwnCurrency } from '@/components/useOwnCurrency'
import { AppLink, useGo, useQueryParam } from '@/navigation/navigation'
import { ActionBar } from '@/ui/ActionBar'
import { Button, buttonClass } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { SelectField, TextField } from '@/ui/Field'
import { Gap } from '@/ui/Gap'
import { Skeleton } from '@/ui/Skeleton'
import { toast } from '@/ui/toast'
import {
  type FieldFault,
  type Fields,
  fieldFaults,
  fieldsFor,
  fieldsOf,
  firstCurrency,
  formsFor,
} from './form'
import { PictureField, type PictureState } from './PictureField'

const INPUT = { text: 'text', number: 'numeric', phone: 'tel', iban: 'text', picture: 'text' } as const

/** Adds or changes a payment method; the server defines its fields. */
export default function CreatingPaymentPage() {
  const id = useQueryParam('id')
  const forms = useQuery({
    queryKey: [...keys.methods, 'forms'],
    queryFn: () => read(api.GET('/payment/method/forms')),
  })
  const known = useQuery({
    queryKey: [...keys.methods, 'one', id],
    queryFn: () => read(api.GET('/payment/method/{id}', { params: { path: { id } } })),
    enabled: id !== '',
  })
  const own = useOwnCurrency()
  // A poll that fails later must not discard input.
  if (forms.data === undefined || own === null || (id !== '' && known.data === undefined)) {
    const failed = forms.error ?? known.error
    return failed === null ? (
      <Skeleton className="mt-3 h-96 w-full rounded-3xl" />
    ) : (
      <QueryError
        error={failed}
        retry={() => {
          void forms.refetch()
          if (id !== '') void known.refetch()
        }}
      />
    )
  }
  return <MethodFormView key={id} forms={forms.data} known={known.data ?? null} own={own} />
}

function MethodFormView({
  forms,
  known,
  own,
}: {
  forms: readonly MethodForm[]
  known: PaymentMethod | null
  own: string
}) {
  const { t } = useLingui()
  const go = useGo()
  const names = useMethodNames()
  const nameOf = useFieldName()
  const asked = useQueryParam('currency')
  const kind = useQueryParam('type')
  const fromWizard = useQueryParam('back') === 'publish'
  const advert = useQueryParam('advert')
  const amount = useQueryParam('amount')
  const fiat = Array.from(new Set(forms.flatMap((form) => form.currencies))).toSorted()
  const currencies = known === null ? [...fiat, 'USDT'] : fiat
  const [currency, setCurrency] = useState(known?.currency ?? firstCurrency(currencies, [asked, own]))
  const [type, setType] = useState(known?.type ?? kind)
  const [values, setValues] = useState<Fields>(known?.fields ?? {})
  const [pictures, setPictures] = useState<Record<string, PictureState>>({})
  const [tried, setTried] = useState(false)
  const usable = formsFor(forms, currency)
  const form = usable.find((one) => one.type === type) ?? usable[0]
  const save = useCommand({
    run: (body: { type: string; currency: string; fields: Fields }, headers) =>
      known === null
        ? read(api.POST('/payment/method', { body, headers }))
        : read(api.POST('/payment/method/{id}', { params: { path: { id: known.id } }, body, headers })),
    touches: [keys.methods],
    done: () => {
      toast(t`Saved`)
      // Return to the screen that required a payment method.
      if (advert !== '') go.replace('/buySell', { id: advert, amount })
      else if (fromWizard) go.follow('/publish?step=2')
      else go.replace('/paymentMethod')
    },
    refused: (error) => duplicateOf(error) !== null,
  })
  const duplicate = duplicateOf(save.error)
  const currencyField = (
    <SelectField
      label={t`Currency`}
      value={currency}
      disabled={known !== null}
      onChange={setCurrency}
      options={currencies.map((one) => ({ value: one, label: one }))}
    />
  )
  if (form === undefined) {
    return (
      <div className="mx-auto flex w-full max-w-md flex-col gap-1 pt-3">
        {currencyField}
        {currency === 'USDT' ? (
          <Notice tone="info">
            <p>
              <Trans>You’re paid in USDT at one address, which your account keeps with its chain.</Trans>
            </p>
            <AppLink
              to="/updateReceivingAddress"
              query={{ next: '/paymentMethod' }}
              className={`${buttonClass('plain', 'small', false)} mt-2`}
            >
              <Trans>Go to your USDT address</Trans>
            </AppLink>
          </Notice>
        ) : (
          <Notice tone="warn">
            <Trans>No payment methods are available for this currency yet.</Trans>
          </Notice>
        )}
      </div>
    )
  }
  const shown = fieldsFor(form, currency)
  const filled: Fields = { ...values }
  for (const { name } of shown) {
    const picture = pictures[name]
    if (picture !== undefined) filled[name] = picture.id
  }
  const uploading = shown.some(({ name }) => pictures[name]?.busy === true)
  const faults = tried ? fieldFaults(form, currency, filled) : {}
  const words = {
    missing: t`This field is required.`,
    tooLong: t`This is too long.`,
    characters: t`Use only letters, numbers and common symbols.`,
  }
  const say = (field: MethodField, fault: FieldFault | undefined) => {
    if (fault === undefined) return ''
    if (fault !== 'form') return words[fault]
    const { example } = field
    return example === null ? t`Check the format.` : t`Check the format. Example: ${example}`
  }
  const optionalLabel = (field: MethodField) =>
    field.required ? nameOf(field.name, form.type) : t`${nameOf(field.name, form.type)} (optional)`
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const failed = shown.some((field) => pictures[field.name]?.failed === true)
    if (!failed && Object.keys(fieldFaults(form, currency, filled)).length === 0) {
      save.send({ type: form.type, currency, fields: fieldsOf(form, currency, filled) })
    }
  }
  return (
    <form onSubmit={submit} noValidate className="mx-auto flex w-full max-w-md flex-col gap-1 pt-3">
      {currencyField}
      <SelectField
        label={t`Type`}
        value={form.type}
        disabled={known !== null}
        onChange={setType}
        options={usable.map((one) => ({ value: one.type, label: names.method(one.type) }))}
      />
      {shown.map((field) =>
        field.kind === 'picture' ? (
          <PictureField
            key={`${form.type} ${field.name}`}
            label={optionalLabel(field)}
            known={known?.pictures[field.name] ?? null}
            onChange={(state) => setPictures((before) => ({ ...before, [field.name]: state }))}
            missing={faults[field.name] === 'missing' ? words.missing : ''}
            tried={tried}
          />
        ) : (
          <TextField
            key={field.name}
            label={optionalLabel(field)}
            name={field.name}
            value={values[field.name] ?? ''}
            maxLength={field.maxLength}
            autoComplete="off"
            inputMode={INPUT[field.kind]}
            onChange={(value) => {
              setValues({ ...values, [field.name]: value })
              save.clear()
            }}
            error={say(field, faults[field.name])}
            hint={field.name === 'name' ? t`Your own name, exactly as it appears on the account.` : ''}
          />
        ),
      )}
      {duplicate === null ? null : (
        <div role="alert">
          <Notice tone="warn">
            <Trans>You already have this payment method.</Trans>
            <Gap />
            {duplicate === '' ? null : (
              <AppLink to="/creatingPayment" query={{ id: duplicate }} className="font-semibold underline">
                <Trans>Edit it</Trans>
              </AppLink>
            )}
          </Notice>
        </div>
      )}
      <ActionBar>
        <Button type="submit" size="large" wide busy={save.busy || uploading}>
          <Trans>Save</Trans>
        </Button>
      </ActionBar>
    </form>
  )
}

/** Returns the id of the existing method, if the refusal of a duplicate contains it; otherwise empty. */
function duplicateOf(error: unknown): string | null {
  if (!isApiError(error)) return null
  const { data } = error
  if (typeof data !== 'object' || data === null || !('existing' in data)) return null
  return typeof data.existing === 'string' ? data.existing : ''
}
