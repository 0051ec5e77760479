/** @file The light or dark theme: from the URL, by default the system's. The colors are in palette.css. */

const system = matchMedia("(prefers-color-scheme: dark)");

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

/** @param {string|null} theme  "dark" or "light", otherwise the system's theme */
export function applyTheme(theme) {
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** @returns {string} the new theme */
export function switchTheme() {
  const theme = isDark() ? "light" : "dark";
  applyTheme(theme);
  return theme;
}

export function onSystemTheme(listener) {
  system.addEventListener("change", listener);
}
