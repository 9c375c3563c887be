/** A module that is loaded when something in it is first used. */
export const later = (load: () => object): object =>
  new Proxy(
    {},
    // Compiled imports ask whether it is a module of ECMAScript, and would otherwise copy all of it.
    { get: (_, key) => (key === "__esModule" ? true : (Reflect.get(load(), key) as unknown)) },
  );
