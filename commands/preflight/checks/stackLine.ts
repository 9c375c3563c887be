import { yamlValue } from "capz-windows-kit/writeLine";

/** A value of Azure in a line of the stack file: whoever chose it must not choose a key beside it. */
export const quoted = (value: string): string => yamlValue([value]).slice(1, -1);

/**
 * The line to write into the stack file.
 * @param path - "controlPlane", "management" or "windowsPools.NAME"
 * @param setting - "key: value"; of the management cluster `vmSize` is called `nodeSize`
 */
export const stackLine = (path: string, setting: string): string => {
  const [kind = "", name] = path.split(".");
  return name === undefined
    ? `capz-windows:${kind}: {${kind === "management" ? setting.replace("vmSize", "nodeSize") : setting}}`
    : `capz-windows:${kind}: {${name}: {${setting}}}`;
};

/** The line of the stack file that sets a key below `network`, for instance existing.poolSubnetIds.web. */
export const networkLine = (key: string, value: string): string =>
  `capz-windows:network: ${key.split(".").reduceRight((inner, part) => `{${part}: ${inner}}`, value)}`;
