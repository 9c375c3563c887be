import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { charts } from "../../components/clusterApi/manifests";
import { pinnedVersions } from "capz-windows-platform/versions";
import { certificateAuthority, serverCertificate } from "../life/support/certificates";

/** The chart repositories of cert-manager and of the Cluster API operator, behind a proxy that leads nowhere else. */
export interface ChartRepositories {
  /** Environment of programs in Go, which read from it the proxy and whom they trust. */
  readonly env: Readonly<Record<string, string>>;
  /** Hosts that were asked for and that the proxy does not know. */
  readonly strangers: ReadonlySet<string>;
  readonly stop: () => void;
}

const published = [
  { ...charts.certManager, version: pinnedVersions.certManager },
  { ...charts.operator, version: pinnedVersions.clusterApiOperator },
];

/** A chart of this name with one object. The real ones need controllers, which nothing runs here. */
function archive(folder: string, chart: string, version: string): Buffer {
  mkdirSync(join(folder, chart, "templates"), { recursive: true });
  writeFileSync(
    join(folder, chart, "Chart.yaml"),
    stringify({ apiVersion: "v2", name: chart, version, description: "A stand-in" }),
  );
  writeFileSync(
    join(folder, chart, "templates/object.yaml"),
    stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: chart } }),
  );
  const file = join(folder, `${chart}.tgz`);
  execFileSync("tar", ["-czf", file, "-C", folder, chart]);
  return readFileSync(file);
}

/** Answers by URL. */
function contents(folder: string): Map<string, string | Buffer> {
  const found = new Map<string, string | Buffer>();
  for (const { chart, version, repo } of published) {
    const url = `${repo}/${chart}-${version}.tgz`;
    const entry = { apiVersion: "v2", name: chart, version, urls: [url] };
    found.set(`${repo}/index.yaml`, stringify({ apiVersion: "v1", entries: { [chart]: [entry] } }));
    found.set(url, archive(folder, chart, version));
  }
  return found;
}

export async function startCharts(): Promise<ChartRepositories> {
  const folder = mkdtempSync(join(tmpdir(), "capz-windows-charts-"));
  const authority = certificateAuthority("charts");
  const trusted = join(folder, "ca.crt");
  writeFileSync(trusted, authority.cert);
  const found = contents(folder);
  const hosts = published.map(({ repo }) => new URL(repo).hostname);
  const [strangers, sockets] = [new Set<string>(), new Set<Socket>()];
  const repositories = createTlsServer(serverCertificate(authority, hosts), (request, response) => {
    const content = found.get(`https://${request.headers.host}${request.url}`);
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  const proxy = createServer((request, response) => {
    strangers.add(request.url ?? "");
    response.writeHead(502).end();
  }).on("connect", (request, socket: Socket) => {
    const host = (request.url ?? "").replace(/:443$/, "");
    sockets.add(socket.on("error", () => socket.destroy()));
    if (!hosts.includes(host)) {
      strangers.add(host);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      return;
    }
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    repositories.emit("connection", socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    env: {
      HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      NO_PROXY: "127.0.0.1,localhost",
      SSL_CERT_FILE: trusted,
    },
    strangers,
    stop: () => {
      sockets.forEach((socket) => socket.destroy());
      proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
