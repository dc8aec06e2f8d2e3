import { describe, expect, it } from "vitest";
import { isLeftOut, tar, within } from "./tar";

const text = async (blob: Blob): Promise<string> => new TextDecoder("latin1").decode(await blob.arrayBuffer());
const of = (path: string, content = "x"): { path: string; file: Blob } => ({ path, file: new Blob([content]) });

describe("tar", () => {
  it("writes heads with sizes and sums, and pads to blocks of 512", async () => {
    const said = await text(tar([of("src/bot.py", "print(1)\n")]));
    expect(said.length).toBe(512 * 4);
    expect(said.startsWith("src/bot.py\0")).toBe(true);
    expect(said.slice(124, 136)).toBe("00000000011\0"); // 9 in octal
    const sum = [...said.slice(0, 512)].reduce((all, sign, i) => all + (i >= 148 && i < 156 ? 32 : sign.charCodeAt(0)), 0);
    expect(parseInt(said.slice(148, 154), 8)).toBe(sum);
    expect(said.slice(512, 521)).toBe("print(1)\n");
  });

  it("writes long names and names with accents in an entry of their own", async () => {
    const long = `${"a".repeat(60)}/${"b".repeat(60)}.py`;
    const said = await text(tar([of(long)]));
    expect(said[156]).toBe("x");
    expect(said).toContain(`134 path=${long}\n`); // "134 path=" and a line break are 10 signs, the path 124
    expect((await text(tar([of("é.py")])))[156]).toBe("x");
  });

  it("counts its own length, even where that makes it one digit longer", async () => {
    for (const length of [83, 84, 85, 86, 87, 88, 89, 90, 985, 986, 987, 988]) {
      const path = `é${"a".repeat(length)}`;
      const said = await text(tar([of(path)]));
      const size = parseInt(said.slice(124, 135), 8);
      expect(said.slice(512, 512 + size).startsWith(`${size} path=`), path).toBe(true);
    }
  });
});

describe("folders", () => {
  it("takes away the folder that everything is in", () => {
    const { folder, files } = within([of("falcon/bot.py"), of("falcon/src/a.py")]);
    expect(folder).toBe("falcon");
    expect(files.map(({ path }) => path)).toEqual(["bot.py", "src/a.py"]);
    expect(within([of("bot.py"), of("src/a.py")]).folder).toBe("");
  });
  it("leaves out what the server leaves out", () => {
    expect([".git/config", "a/__pycache__/b", "src/.env", "a/Thumbs.db"].every(isLeftOut)).toBe(true);
    expect(["bot.py", "src/main.rs", "a.b/c"].some(isLeftOut)).toBe(false);
  });
});
