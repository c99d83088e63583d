import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  Award,
  BadgeCheck,
  Banknote,
  CalendarClock,
  Gauge,
  Gavel,
  type LucideIcon,
  Megaphone,
  Scale,
  ScrollText,
  UserCog,
  Users,
} from 'lucide-react'

/** A section of the console. An officer sees it if the role may make its call. */
export interface Section {
  path: string
  title: MessageDescriptor
  /** The call that loads the section. */
  call: string
  /** The key that opens it after `g`. */
  key: string
  icon: LucideIcon
}

/** The sections in the order of the menu. The first one that an officer sees is the start page. */
export const SECTIONS: readonly Section[] = [
  {
    path: '/console/dashboard',
    title: msg`Dashboard`,
    call: 'get /console/dashboard',
    key: 'h',
    icon: Gauge,
  },
  { path: '/console/appeals', title: msg`Appeals`, call: 'get /console/appeals', key: 'c', icon: Gavel },
  { path: '/console/users', title: msg`Users`, call: 'get /console/users', key: 'u', icon: Users },
  {
    path: '/console/nicknames',
    title: msg`Nicknames`,
    call: 'get /console/nicknames',
    key: 'n',
    icon: BadgeCheck,
  },
  {
    path: '/console/certifications',
    title: msg`Certifications`,
    call: 'get /console/certifications',
    key: 'f',
    icon: Award,
  },
  { path: '/console/ads', title: msg`Ads`, call: 'get /console/adverts', key: 'd', icon: Megaphone },
  { path: '/console/payouts', title: msg`Payouts`, call: 'get /console/payouts', key: 'p', icon: Banknote },
  { path: '/console/pairs', title: msg`Pairs`, call: 'get /console/pairs', key: 'm', icon: Scale },
  {
    path: '/console/maintenance',
    title: msg`Maintenance`,
    call: 'get /console/maintenance',
    key: 't',
    icon: CalendarClock,
  },
  { path: '/console/officers', title: msg`Officers`, call: 'get /console/officers', key: 'o', icon: UserCog },
  { path: '/console/audit', title: msg`Audit log`, call: 'get /console/audit', key: 'a', icon: ScrollText },
]

/** Returns the section of a path. */
export function sectionOf(pathname: string): Section | null {
  return SECTIONS.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`)) ?? null
}
