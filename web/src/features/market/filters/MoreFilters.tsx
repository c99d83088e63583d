import { useLingui } from '@lingui/react/macro'
import { BadgeCheck, UserCheck, Zap } from 'lucide-react'
import { Chip } from '@/ui/Chip'
import { ChipSelect } from '@/ui/ChipSelect'
import type { HallFilter } from '../hallState'
import { MethodsChip } from './MethodsChip'
import { SavedChip } from './SavedChip'
import { useFilterOptions } from './useFilterOptions'

/** The filters for which only a wide screen has room in the hall. A phone has them at `/filters`. */
export default function MoreFilters({
  hall,
  onChange,
}: {
  hall: HallFilter
  onChange: (change: Partial<HallFilter>) => void
}) {
  const { t } = useLingui()
  const { methods, regions, sorts } = useFilterOptions(hall)
  return (
    <>
      {methods.length > 0 ? (
        <MethodsChip
          options={methods}
          chosen={hall.methods}
          onChange={(chosen) => onChange({ methods: chosen })}
        />
      ) : null}
      <ChipSelect
        label={t`Region`}
        value={hall.region}
        set={hall.region !== ''}
        options={regions}
        onChange={(region) => onChange({ region })}
      />
      <Chip on={hall.certified} onClick={() => onChange({ certified: !hall.certified })}>
        <BadgeCheck size={17} aria-hidden="true" />
        {t`Certified`}
      </Chip>
      <Chip on={hall.fast} onClick={() => onChange({ fast: !hall.fast })}>
        <Zap size={16} aria-hidden="true" />
        {t`Fast`}
      </Chip>
      <Chip on={hall.requirementsMet} onClick={() => onChange({ requirementsMet: !hall.requirementsMet })}>
        <UserCheck size={17} aria-hidden="true" />
        {t`Ads I can order from`}
      </Chip>
      <ChipSelect
        label={t`Sort`}
        value={hall.sort}
        set={hall.sort !== ''}
        options={sorts}
        onChange={(sort) => onChange({ sort })}
      />
      <SavedChip hall={hall} onChange={onChange} />
    </>
  )
}
