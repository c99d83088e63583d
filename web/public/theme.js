// Sets the last theme of this device before the first paint, so that pages do not flash in the other theme.
try {
  document.documentElement.dataset.theme = localStorage.getItem('theme_shown') || 'dark'
} catch {
  document.documentElement.dataset.theme = 'dark'
}
