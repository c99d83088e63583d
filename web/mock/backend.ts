/** Answers a call as the API would, from a world in memory. */
export async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  return Response.json({ code: '1016', message: `no such call: ${pathname}`, data: null }, { status: 404 })
}
