// Before the first paint: the theme this device saw last, so that no page flashes in the other one.
try {
  document.documentElement.dataset.theme = localStorage.getItem('theme_shown') || 'dark'
} catch {
  document.documentElement.dataset.theme = 'dark'
}
