import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/**
 * A registry of npm on this machine.
 * @param dir - has the tarballs; below /gone it is as if there were no package
 * @param fields - of package.json that npm reads here
 */
export function fakeRegistry(
  dir: string,
  packages: Readonly<Record<string, readonly string[]>>,
  fields: object = {},
) {
  const requests: string[] = [];
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    const name = path.slice(1);
    const versions = packages[name];
    if (path.endsWith(".tgz") && existsSync(join(dir, path))) {
      response.end(readFileSync(join(dir, path)));
    } else if (versions === undefined) {
      response.writeHead(404).end("{}");
    } else {
      const rows = versions.map((version): [string, object] => [
        version,
        { ...fields, name, version, dist: { tarball: `${address()}/${name}-${version}.tgz` } },
      ]);
      const latest = versions.at(-1) ?? "";
      response.end(JSON.stringify({ name, "dist-tags": { latest }, versions: Object.fromEntries(rows) }));
    }
  });
  return {
    requests,
    async start(): Promise<string> {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      return address();
    },
    stop: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
}
