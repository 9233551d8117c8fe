// Light or dark: as the system has it until the reader says otherwise; remembered where the browser allows.
const KEY = "snellen-theme";

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export function setTheme(theme: "light" | "dark"): void {
  document.documentElement.dataset["theme"] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    /* not allowed here; the choice lasts as long as the page */
  }
}

export function restoreTheme(): void {
  const theme = remembered();
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
}
