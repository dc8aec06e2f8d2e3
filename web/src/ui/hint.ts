// What a mark means, beside it: on hover, on focus, and for a finger by a tap; on a control, whose tap does something
// else, by a long press. A title would show itself to the mouse alone.

import type { Attachment } from "svelte/attachments";

const HOLD = 450; // ms after which a finger wants to read, not to press
const REST = 500; // ms that the mouse rests on a control before its words come: they must not get in the way of a click
const LEAVE = 150; // ms for the pointer to get from the mark to the words
const GAP = 6; // px
const REACH = 2; // px: clicks are told in whole pixels, and other events in parts of them
const EDGE = 8; // px that stay free at the border of the window

let made = 0;
/** Where the mouse has clicked. What appears or changes there while it rests is not what it points at. */
let clicked: MouseEvent | null = null;
if (typeof document !== "undefined") document.addEventListener("click", note, true);
function note(event: MouseEvent): void {
  if (event.detail) clicked = event; // not by a key
}
const rests = ({ clientX, clientY }: MouseEvent): boolean =>
  clicked !== null && Math.hypot(clientX - clicked.clientX, clientY - clicked.clientY) <= REACH;

/** Explains an element. `acts`: it is a control, so that a tap does its work. */
export function hint(text: string, acts = false): Attachment<HTMLElement> {
  return (node) => {
    if (!text) return;
    const bubble = document.createElement("div");
    bubble.id = `hint-${++made}`;
    bubble.className = acts ? "hint over" : "hint";
    bubble.role = "tooltip";
    bubble.textContent = text;
    bubble.setAttribute("popover", "manual");
    document.body.append(bubble);
    const named = node.getAttribute("aria-label") === text;
    if (!named) node.setAttribute("aria-describedby", bubble.id);
    if (!acts && node.tabIndex < 0) node.tabIndex = 0;

    let timer = 0;
    let shown = false;
    const show = (): void => {
      clearTimeout(timer);
      if (shown || !node.isConnected) return;
      shown = true;
      bubble.showPopover?.();
      settle(bubble, node.getBoundingClientRect(), !acts);
      window.addEventListener("keydown", escape, true);
      window.addEventListener("scroll", hide, true);
      window.addEventListener("pointerdown", elsewhere, true);
    };
    const hide = (): void => {
      clearTimeout(timer);
      if (!shown) return;
      shown = false;
      bubble.hidePopover?.();
      window.removeEventListener("keydown", escape, true);
      window.removeEventListener("scroll", hide, true);
      window.removeEventListener("pointerdown", elsewhere, true);
    };
    const later = (what: () => void, ms: number): void => {
      clearTimeout(timer);
      timer = window.setTimeout(what, ms);
    };
    /** Whoever has just clicked reads what came of it: words come once the mouse has been elsewhere. */
    function enter(event: PointerEvent): void {
      if (event.pointerType === "touch" || rests(event)) return;
      if (acts) later(show, REST);
      else show();
    }
    /** Escape closes the words and nothing else. */
    function escape(event: KeyboardEvent): void {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      hide();
    }
    function elsewhere({ target }: Event): void {
      if (target instanceof Node && !node.contains(target) && !bubble.contains(target)) hide();
    }

    const listeners: [EventTarget, string, (event: never) => void][] = [
      [node, "pointerenter", enter],
      [node, "pointerleave", ({ pointerType }: PointerEvent) => pointerType !== "touch" && later(hide, acts ? 0 : LEAVE)],
      [bubble, "pointerenter", () => clearTimeout(timer)],
      [bubble, "pointerleave", () => later(hide, LEAVE)],
      [node, "focus", () => node.matches(":focus-visible") && show()],
      [node, "blur", hide],
      [node, "pointerdown", ({ pointerType }: PointerEvent) => acts && pointerType === "touch" && later(show, HOLD)],
      [node, "pointerup", () => !shown && clearTimeout(timer)],
      [node, "pointercancel", () => !shown && clearTimeout(timer)],
      [node, "click", () => (acts ? hide() : show())],
    ];
    for (const [on, name, heard] of listeners) on.addEventListener(name, heard as EventListener);
    return () => {
      hide();
      for (const [on, name, heard] of listeners) on.removeEventListener(name, heard as EventListener);
      bubble.remove();
      if (!named) node.removeAttribute("aria-describedby");
    };
  };
}

/**
 * Above a mark and below a control, or on the other side if there is no room; never beyond the window. Words of a mark can be
 * pointed at, so below a warning they would take the click that is meant for the button that files.
 */
function settle(bubble: HTMLElement, mark: DOMRect, above: boolean): void {
  const { width, height } = bubble.getBoundingClientRect();
  const [over, under] = [mark.top - GAP - height, mark.bottom + GAP];
  const [roomy, low] = [over >= EDGE, under + height + EDGE > window.innerHeight];
  const top = above ? (roomy ? over : under) : low ? Math.max(EDGE, over) : under;
  const left = Math.max(EDGE, Math.min(window.innerWidth - EDGE - width, mark.left));
  bubble.style.left = `${left}px`;
  bubble.style.top = `${top}px`;
}
