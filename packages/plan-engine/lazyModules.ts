import Module from "node:module";

/**
 * What the SDK loads immediately, and programs seldom use. The TypeScript compiler and npm's dependency resolver, which are
 * only for functions that become part of a resource (dynamic providers), are half the cost of loading the SDK; the
 * Automation API is a third of the rest.
 */
const seldomUsed = ["typescript", "@npmcli/arborist", "./automation"];

const inSdk = /[\\/]@pulumi[\\/]pulumi[\\/](?!node_modules[\\/])[^]*$/;

/** A module that is loaded when it is first used. */
function lazily(load: () => object): object {
  let loaded: object | undefined;
  const module = (): object => (loaded ??= load());
  return new Proxy(
    {},
    {
      // Compiled imports read this property; with any other value they would copy everything.
      get: (_, key) => (key === "__esModule" ? true : (Reflect.get(module(), key) as unknown)),
      has: (_, key) => key === "__esModule" || Reflect.has(module(), key),
      set: (_, key, value) => Reflect.set(module(), key, value),
    },
  );
}

type Load = (
  request: string,
  parent: { readonly filename?: string | null } | undefined,
  isMain: boolean,
) => unknown;

/** Loads something with the SDK, without the packages that the SDK seldom uses. */
export function withoutSeldomUsed<T>(job: () => T): T {
  const internals = Module as unknown as { _load: Load };
  const real = internals._load;
  internals._load = function (this: unknown, request, parent, isMain) {
    const load = (): unknown => Reflect.apply(real, this, [request, parent, isMain]);
    return seldomUsed.includes(request) && inSdk.test(parent?.filename ?? "")
      ? lazily(load as () => object)
      : load();
  };
  try {
    return job();
  } finally {
    internals._load = real;
  }
}
