/** @file Light or dark: what the address says, otherwise what the system prefers. Colors themselves are in palette.css. */

const system = matchMedia("(prefers-color-scheme: dark)");

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

/** @param {string|null} theme  "dark", "light", or anything else for the system's choice */
export function applyTheme(theme) {
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** @returns {string} the theme that is shown from now on */
export function switchTheme() {
  const theme = isDark() ? "light" : "dark";
  applyTheme(theme);
  return theme;
}

export function onSystemTheme(listener) {
  system.addEventListener("change", listener);
}
