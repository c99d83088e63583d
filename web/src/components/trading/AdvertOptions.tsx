/** What an advertiser has added to an ad. */
export function AdvertOptions({ of: { remark } }: { of: { remark: string | null } }) {
  return remark === null || remark === '' ? null : (
    <p className="mt-3 border-line border-t pt-3 text-sm [overflow-wrap:anywhere]">“{remark}”</p>
  )
}
