import { later } from "./later";

/** npm's dependency resolver for the SDK, which needs it only for dynamic providers and loads it in a quarter of a second. */
export = later(() => jest.requireActual<object>("@npmcli/arborist/lib/index.js"));
