import { runInNewContext } from "node:vm";
import { isRecord } from "../../tools/untyped";

/**
 * Expands the template expressions of Azure Pipelines that examples/pipelines/azure-pipelines.yml uses: if, else and each among
 * the items of a list, and values (learn.microsoft.com/azure/devops/pipelines/process/template-expressions).
 */

type Context = Readonly<Record<string, unknown>>;

const functions: Context = {
  eq: (a: unknown, b: unknown) => a === b,
  ne: (a: unknown, b: unknown) => a !== b,
  and: (...all: unknown[]) => all.every(Boolean),
  replace: (text: string, from: string, to: string) => text.replaceAll(from, to),
};

const valueOf = (expression: string, context: Context): unknown =>
  runInNewContext(expression, { ...functions, ...context });

const directive = /^\$\{\{ (if|else|each) ?(.*?) \}\}$/;

function itemsOf(list: readonly unknown[], context: Context): unknown[] {
  let taken = false;
  return list.flatMap((item) => {
    const [entry] = isRecord(item) ? Object.entries(item) : [];
    const body = entry?.[1];
    const [, word, rest = ""] = directive.exec(entry?.[0] ?? "") ?? [];
    switch (word) {
      case "if":
        taken = Boolean(valueOf(rest, context));
        return taken ? expand(body, context) : [];
      case "else":
        return taken ? [] : expand(body, context);
      case "each": {
        const [name = "", from = ""] = rest.split(" in ");
        return [...(valueOf(from, context) as Iterable<unknown>)].flatMap(
          (one) => expand(body, { ...context, [name]: one }) as unknown[],
        );
      }
      default:
        return [expand(item, context)];
    }
  });
}

export function expand(value: unknown, context: Context): unknown {
  if (Array.isArray(value)) {
    return itemsOf(value, context);
  }
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expand(inner, context)]));
  }
  if (typeof value !== "string") {
    return value;
  }
  const [, whole] = /^\$\{\{ ([^}]*) \}\}$/.exec(value) ?? [];
  return whole === undefined
    ? value.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, inner: string) => String(valueOf(inner, context)))
    : valueOf(whole, context);
}
