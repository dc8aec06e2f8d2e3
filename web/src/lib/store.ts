// What the browser keeps. A browser that keeps nothing (private windows, blocked storage) is no error.

export function keep(key: string, value: unknown): void {
  try {
    if (value === null || value === undefined) localStorage.removeItem(`polemos.${key}`);
    else localStorage.setItem(`polemos.${key}`, JSON.stringify(value));
  } catch {
    // It lasts as long as the page, then.
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
