// Addresses within the app. Links are plain <a>; clicks on them are handled here instead of loading a new page.

/** A part of an address in plain text. One that is badly written stays as it is: it leads nowhere, and breaks nothing. */
function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

class Route {
  path = $state(location.pathname);
  search = $state(location.search);
  hash = $state(location.hash);

  constructor() {
    addEventListener("popstate", () => this.read());
    addEventListener("hashchange", () => this.read());
  }

  get parts(): string[] {
    return this.path.split("/").filter(Boolean).map(plain);
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.search);
  }

  private read(): void {
    this.path = location.pathname;
    this.search = location.search;
    this.hash = location.hash;
  }

  go(to: string, replace = false): void {
    const moved = new URL(to, location.href).pathname !== location.pathname;
    history[replace ? "replaceState" : "pushState"](null, "", to);
    this.read();
    if (moved && !this.hash) scrollTo(0, 0);
  }
}

export const route = new Route();

/** Handles clicks on links within the app; everything else is left to the browser. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/")) return;
  event.preventDefault();
  route.go(link.pathname + link.search + link.hash);
}
