// The part of Markdown that rule books use, parsed into a tree. None of it is ever treated as HTML.

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong"; in: Inline[] }
  | { kind: "em"; in: Inline[] }
  | { kind: "link"; to: string; in: Inline[] }
  | { kind: "rule"; text: string; to: string };

export type Block =
  | { kind: "paragraph"; in: Inline[] }
  | { kind: "quote"; in: Inline[] }
  | { kind: "heading"; level: number; in: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "picture"; alt: string; name: string }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] };

const cells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

/** A picture of the book stands on a line of its own. Only plain names in its own folder are pictures. */
const PICTURE = /^!\[([^\]]*)\]\(pictures\/([\w-]+\.svg)\)\s*$/;

const ITEM = /^\s*(?:([-*])|(\d+)\.)\s+(.*)$/;

/** Whether a table begins here: its head, with a line of dashes below. */
const tabled = (lines: readonly string[], at: number): boolean =>
  lines[at]!.trim().startsWith("|") && /^\s*\|[\s:|-]+$/.test(lines[at + 1] ?? "");

/** `known` are the paragraphs that a number in the text may link to. */
export function blocks(text: string, known: ReadonlySet<string> = new Set()): Block[] {
  const lines = text.split("\n");
  const found: Block[] = [];
  const words = (part: string): Inline[] => inline(part, known);
  let i = 0;
  while (i < lines.length) {
    const line = lines[i]!;
    if (!line.trim()) i++;
    else if (line.startsWith("```")) {
      const from = ++i;
      while (i < lines.length && !lines[i]!.startsWith("```")) i++;
      found.push({ kind: "code", text: lines.slice(from, i++).join("\n") });
    } else if (/^#{1,6} /.test(line)) {
      const level = line.indexOf(" ");
      found.push({ kind: "heading", level, in: words(line.slice(level + 1)) });
      i++;
    } else if (PICTURE.test(line)) {
      const [, alt, name] = PICTURE.exec(line)!;
      found.push({ kind: "picture", alt: alt!, name: name! });
      i++;
    } else if (tabled(lines, i)) {
      const head = cells(line).map(words);
      const rows: Inline[][][] = [];
      for (i += 2; i < lines.length && lines[i]!.trim().startsWith("|"); i++) rows.push(cells(lines[i]!).map(words));
      found.push({ kind: "table", head, rows });
    } else if (ITEM.test(line)) {
      const ordered = ITEM.exec(line)![2] !== undefined;
      const items: string[] = [];
      for (; i < lines.length && lines[i]!.trim(); i++) {
        const item = ITEM.exec(lines[i]!);
        if (item) items.push(item[3]!);
        else items[items.length - 1] += ` ${lines[i]!.trim()}`;
      }
      found.push({ kind: "list", ordered, items: items.map(words) });
    } else {
      const quote = line.startsWith(">");
      const parts: string[] = [];
      // The first line belongs to it whatever it looks like: it is nothing else.
      const ends = (at: number): boolean =>
        !lines[at]!.trim() || /^(```|#{1,6} )/.test(lines[at]!) || PICTURE.test(lines[at]!) || tabled(lines, at) || ITEM.test(lines[at]!);
      for (; i < lines.length && !(parts.length && ends(i)); i++) parts.push(lines[i]!.replace(/^>\s?/, ""));
      found.push({ kind: quote ? "quote" : "paragraph", in: words(parts.join(" ")) });
    }
  }
  return found;
}

const MARKS = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|\[([^\]]+)\]\(([^)\s]+)\)|\b([A-Z]?\d+\.\d+(?:\.\d+)*)\b/g;

export function inline(text: string, known: ReadonlySet<string> = new Set()): Inline[] {
  const found: Inline[] = [];
  let at = 0;
  for (const mark of text.matchAll(MARKS)) {
    const [whole, code, strong, em, label, to, rule] = mark;
    if (rule !== undefined && !known.has(rule)) continue;
    if (mark.index > at) found.push({ kind: "text", text: text.slice(at, mark.index) });
    at = mark.index + whole.length;
    if (code !== undefined) found.push({ kind: "code", text: code });
    else if (strong !== undefined) found.push({ kind: "strong", in: inline(strong, known) });
    else if (em !== undefined) found.push({ kind: "em", in: inline(em, known) });
    else if (rule !== undefined) found.push({ kind: "rule", text: rule, to: rule });
    // Only addresses that can't run anything.
    else if (/^(https?:\/\/|\/|#|[\w.-]+(\/|$|#))/.test(to!)) found.push({ kind: "link", to: to!, in: inline(label!, known) });
    else found.push({ kind: "text", text: label! });
  }
  if (at < text.length) found.push({ kind: "text", text: text.slice(at) });
  return found;
}
