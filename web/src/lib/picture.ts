// Pictures that the server draws for the screen, made to stand alone.

/** The picture with the values of its variables. `value` looks one up, such as "--ink". */
export function coloured(svg: string, value: (name: string) => string): string {
  const known = new Map<string, string>();
  return svg.replace(/var\((--[a-z0-9-]+)\)/g, (whole, name: string) => {
    if (!known.has(name)) known.set(name, value(name).trim());
    const found = known.get(name)!;
    return /^[#\w(),.% -]+$/.test(found) ? found : whole;
  });
}
