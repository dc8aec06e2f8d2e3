// Seconds to the next try of a line that is down.

import type { Line } from "./live";

/** To be called where effects can be: counts while the line is down. No seconds: it is being tried. */
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
