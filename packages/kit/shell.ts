/**
 * Commands that people copy. Names in them may come from a cluster, from Azure or from a file name, and whoever chose them must
 * not choose what the command does. A value is written as it is only if it means nothing else to any shell; otherwise it is
 * quoted, or its place is left to the reader.
 */

/** No option, no `@file`, no `~`, no alias of zsh (`=x`); nothing that bash, zsh, PowerShell or cmd expand or split. */
const plain = /^[\w/.:][\w/.:+@=-]*$/;

/** Names and IDs in Azure and Kubernetes are shorter. */
const mostCharacters = 1_000;

const isPlainWord = (value: string): boolean => value.length <= mostCharacters && plain.test(value);

/** What stands between single quotes in bash, zsh and PowerShell, and is harmless in cmd, which has no such quotes. */
const quotable = /^[\p{L}\p{N}_/.][\p{L}\p{N}_/.:+@=,()[\] ~-]*$/u;

/** The same between quotes that the command has: role names have spaces. */
const withinQuotes = /^[\w/.:][\w/.:+@=,() -]*$/;

/** Programs that give a word of theirs to another shell: ssh to ProxyCommand, `az vm run-command` to the machine. */
const passesOn = /(?:^|[\s(;&|])(?:ssh|scp)\s|--scripts?\s|\bbash -c\s/;

/** A name or an IPv4 address of a machine. For ssh, `a@b` is another host, and `-o…` an option. */
export const hostWord = (value: string, placeholder = "HOST"): string =>
  /^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(value) && value.length <= 253 ? value : placeholder;

/** An ARM ID in a URL. Azure CLI sends its token to every URL that begins like Azure's. */
export const armIdWord = (value: string, placeholder = "/RESOURCE-ID"): string =>
  /^\/[\w./()-]+$/.test(value) && value.length <= mostCharacters ? value : placeholder;

/** The name of a value that is not shown: NEW-LIMIT for `newLimit`. */
export const placeholderOf = (name: string): string => name.replace(/([A-Z])/g, "-$1").toUpperCase();

type Place = "bare" | "single" | "double" | "comment";

/** Where the text after a part of a command is, as bash and zsh see it: the innermost place last, because `$(` begins a new one. */
function placesAfter(part: string, start: readonly Place[]): readonly Place[] {
  const places = [...start];
  const goTo = (place: Place): void => {
    places.splice(-1, 1, place);
  };
  for (let index = 0; index < part.length; index += 1) {
    const char = part[index];
    const place = places.at(-1);
    if (place === "single" || place === "comment") {
      if (char === (place === "single" ? "'" : "\n")) {
        goTo("bare");
      }
    } else if (char === "\\") {
      index += 1;
    } else if (char === '"') {
      goTo(place === "double" ? "bare" : "double");
    } else if (char === "(" && (place === "bare" || part[index - 1] === "$")) {
      places.push("bare");
    } else if (place === "bare" && char === ")" && places.length > 1) {
      places.pop();
    } else if (place === "bare" && char === "'") {
      goTo("single");
    } else if (place === "bare" && char === "#" && /(?:^|\s)$/.test(part.slice(0, index))) {
      goTo("comment");
    }
  }
  return places;
}

const innermost = (places: readonly Place[]): Place => places.at(-1) ?? "bare";

/** A part of a command that was made here; see `verbatim`. */
class Verbatim {
  constructor(readonly text: string) {}
}

/** A part of a command that `bash` has made, or that the program has written: it is inserted as it is. */
export const verbatim = (text: string): Verbatim => new Verbatim(text);

export type ShellValue = string | number | Verbatim;

function inserted(value: ShellValue, name: string, place: Place, before: string): string {
  if (value instanceof Verbatim) {
    return value.text;
  }
  const text = String(value);
  if (isPlainWord(text)) {
    return text;
  }
  if (place === "comment" || passesOn.test(before) || text.length > mostCharacters) {
    return placeholderOf(name);
  }
  if (place === "bare") {
    return quotable.test(text) ? `'${text}'` : placeholderOf(name);
  }
  return withinQuotes.test(text) ? text : placeholderOf(name);
}

/**
 * A command for bash and zsh, with its values, as a tag of a template: bash`az group show --name ${group}`. PowerShell reads the
 * same words where all values are plain, and other values in single quotes.
 */
export function bash(parts: TemplateStringsArray, ...values: readonly ShellValue[]): string {
  return parts.slice(1).reduce(
    ({ text, places }, part, index) => {
      const value = inserted(values[index] ?? "", "value", innermost(places), text);
      return { text: `${text}${value}${part}`, places: placesAfter(part, places) };
    },
    { text: parts[0] ?? "", places: placesAfter(parts[0] ?? "", ["bare"]) },
  ).text;
}

/**
 * The same for a template with names in braces, as `az group show --name {group}`.
 * @param vars - the values; names without one become words in capitals
 */
export function filledCommand(template: string, vars: Readonly<Record<string, ShellValue>>): string {
  let text = "";
  let places: readonly Place[] = ["bare"];
  let end = 0;
  for (const match of template.matchAll(/(?<![%$])\{(\w+)\}/g)) {
    const part = template.slice(end, match.index);
    const [all, name = ""] = match;
    places = placesAfter(part, places);
    text += part;
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
    text += value === undefined ? placeholderOf(name) : inserted(value, name, innermost(places), text);
    end = match.index + all.length;
  }
  return text + template.slice(end);
}
