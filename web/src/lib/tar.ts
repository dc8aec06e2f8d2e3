// Packs the files of a folder as a tar, for an upload. The contents are not read here: the browser sends them as they are.

export interface Packed {
  /** With its folders, as `src/lanes.rs`. */
  readonly path: string;
  readonly file: Blob;
}

const BLOCK = 512;
/** What the server would leave out anyway. Hidden files are left out too, because people keep secrets in them. */
const LEFT_OUT = ["__pycache__", "__MACOSX", "Thumbs.db", "desktop.ini"];

export const isLeftOut = (path: string): boolean => path.split("/").some((part) => part.startsWith(".") || LEFT_OUT.includes(part));

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** The head of an entry. Names that are long or not ASCII stand in an entry of their own before it. */
function head(name: string, size: number, kind: "0" | "x"): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const put = (at: number, text: string): void => block.set(bytes(text), at);
  put(0, name);
  put(100, "0000644\0");
  put(108, "0000000\0");
  put(116, "0000000\0");
  put(124, `${size.toString(8).padStart(11, "0")}\0`);
  put(136, "00000000000\0");
  put(148, "        ");
  put(156, kind);
  put(257, "ustar\x0000");
  const sum = block.reduce((all, byte) => all + byte, 0);
  put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
  return block;
}

const padding = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);

/** A line of an extended head: it begins with its own length. */
function record(key: string, value: string): Uint8Array<ArrayBuffer> {
  const rest = bytes(` ${key}=${value}\n`).length;
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return bytes(`${length} ${key}=${value}\n`);
}

export function tar(files: readonly Packed[]): Blob {
  const parts: BlobPart[] = [];
  for (const { path, file } of files) {
    const plain = path.length <= 100 && /^[\x20-\x7e]*$/.test(path);
    if (!plain) {
      const said = record("path", path);
      parts.push(head("long", said.length, "x"), said, padding(said.length));
    }
    parts.push(head(plain ? path : "file", file.size, "0"), file, padding(file.size));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  return new Blob(parts);
}

/** The folder that all paths are in, and the paths within it. */
export function within(files: readonly Packed[]): { folder: string; files: Packed[] } {
  const folder = files[0]?.path.split("/")[0] ?? "";
  const shared = files.every(({ path }) => path.startsWith(`${folder}/`));
  if (!shared) return { folder: "", files: [...files] };
  return { folder, files: files.map(({ path, file }) => ({ path: path.slice(folder.length + 1), file })) };
}
