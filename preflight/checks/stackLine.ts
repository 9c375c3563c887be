/** The line of the stack file that has the value. */
export const stackLine = (path: string, setting: string): string => {
  const [kind = "", name] = path.split(".");
  return name === undefined
    ? `capz-windows:${kind}: {${kind === "management" ? setting.replace("vmSize", "nodeSize") : setting}}`
    : `capz-windows:${kind}: {${name}: {${setting}}}`;
};
