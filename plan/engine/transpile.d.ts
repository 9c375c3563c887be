/** A stack trace in lines of TypeScript, where a frame is in a file that a loader of this module loaded. */
export const typeScriptStack: NonNullable<typeof Error.prepareStackTrace>;

/**
 * A loader of TypeScript files for `require.extensions[".ts"]`: swc, with a cache on disk.
 * @param root - folder with the node_modules in which @swc/core is, and in which the cache goes
 */
export function typeScriptLoader(root: string): (module: NodeJS.Module, file: string) => void;
