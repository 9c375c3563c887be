import { later } from "./later";

/** The TypeScript compiler for the SDK, which needs it only for dynamic providers and loads it in a quarter of a second. */
export = later(() => jest.requireActual<object>("typescript"));
