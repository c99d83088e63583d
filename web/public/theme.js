// Sets the chosen theme before the first paint, so that no page flashes in another one.
;(() => {
  let choice = 'dark'
  try {
    choice = localStorage.getItem('theme') || choice
  } catch {}
  const light =
    choice === 'light' || (choice === 'auto' && !matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = light ? 'light' : 'dark'
})()
