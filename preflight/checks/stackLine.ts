/** Where the stack file says it. */
export const stackLine = (path: string, setting: string): string => {
  const [kind = "", name] = path.split(".");
  return name === undefined
    ? `capz-windows:${kind}: {${kind === "management" ? setting.replace("vmSize", "nodeSize") : setting}}`
    : `capz-windows:${kind}: {${name}: {${setting}}}`;
};
