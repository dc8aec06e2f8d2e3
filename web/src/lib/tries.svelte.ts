// Seconds until the next attempt to reconnect.

import type { Line } from "./live";

/** Call it where effects are allowed: counts down while disconnected. Zero: it is trying now. */
export function tries(line: () => Line): { readonly seconds: number } {
  let now = $state(Date.now());
  $effect(() => {
    if (line().up) return;
    const timer = setInterval(() => (now = Date.now()), 500);
    return () => clearInterval(timer);
  });
  return {
    get seconds() {
      const { next } = line();
      return next ? Math.max(1, Math.ceil((next - now) / 1000)) : 0;
    },
  };
}
