// The browser's storage. If there is none (private windows, blocked storage), that is not an error.

export function keep(key: string, value: unknown): void {
  try {
    if (value === null || value === undefined) localStorage.removeItem(`polemos.${key}`);
    else localStorage.setItem(`polemos.${key}`, JSON.stringify(value));
  } catch {
    // Then it lasts only as long as the page.
  }
}

export function kept<T>(key: string): T | null {
  try {
    const text = localStorage.getItem(`polemos.${key}`);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}
