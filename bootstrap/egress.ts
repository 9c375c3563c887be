import { createHash } from "node:crypto";
import type { BootstrapFile } from "capz-types";
import { azureHostAddresses } from "capz-windows-platform/company-network/noProxy";
import { safeFile } from "./files";
import { type RegistryMirror, hostsFolder, hostsToml, mirroredRegistries } from "./registryMirror";
import { runScript, scriptFile } from "./windowsScript";

/** How nodes reach registries and the Internet: directly by default. */
export interface NodeEgress {
  /** HTTP proxy of containerd, kubelet and the operating system. Default: none. */
  readonly proxy?: NodeProxy | undefined;
  /** Registry from which containerd pulls instead of the images' own. Default: none. */
  readonly registryMirror?: RegistryMirror | undefined;
  /** Certificate authorities that the operating system trusts, each one certificate in PEM. Default: none. */
  readonly trustedCertificates?: readonly string[] | undefined;
}

export interface NodeProxy {
  /** http://HOST:PORT, for http and https. */
  readonly url: string;
  /** Hosts, domains and networks that are reached directly (packages/platform/company-network/noProxy.ts). */
  readonly noProxy: readonly string[];
}

/** What a node needs before and after `kubeadm join`, besides its own files and commands. */
export interface EgressData {
  readonly files: readonly BootstrapFile[];
  readonly preKubeadmCommands: readonly string[];
  readonly postKubeadmCommands: readonly string[];
}

/** Programs in Go read these from their environment. */
export const proxyVariables = ({ url, noProxy }: NodeProxy): { name: string; value: string }[] => [
  { name: "HTTP_PROXY", value: url },
  { name: "HTTPS_PROXY", value: url },
  { name: "NO_PROXY", value: noProxy.join(",") },
];

/** A certificate as it is written into its file: the same for every way in which a stack file has it. */
export const certificateText = (pem: string): string => `${pem.trim().replaceAll("\r\n", "\n")}\n`;

/** Each certificate once, in a file that is named after its content, so that no other changes when one is added. */
function certificateFiles({ trustedCertificates = [] }: NodeEgress, folder: string): BootstrapFile[] {
  return [...new Set(trustedCertificates.map(certificateText))].map((content) => {
    const name = createHash("sha256").update(content).digest("hex").slice(0, 8);
    return safeFile({ path: `${folder}/capz-windows-${name}.crt`, permissions: "0644", content });
  });
}

const mirrorFiles = (mirror: RegistryMirror | undefined, folder: string): BootstrapFile[] =>
  mirror === undefined
    ? []
    : mirroredRegistries(mirror).map((registry) => ({
        path: `${folder}/${hostsFolder(registry)}/hosts.toml`,
        permissions: "0644",
        content: hostsToml(mirror, registry),
      }));

const environmentOf = (proxy: NodeProxy): string[] =>
  proxyVariables(proxy).map(({ name, value }) => `${name}=${value}`);

/** systemd gives the variables to a service; image-builder writes the same file into images that are built behind a proxy. */
const serviceFile = (service: string, proxy: NodeProxy): BootstrapFile => ({
  path: `/etc/systemd/system/${service}.service.d/http-proxy.conf`,
  permissions: "0644",
  content: ["[Service]", ...environmentOf(proxy).map((line) => `Environment="${line}"`), ""].join("\n"),
});

/** For logins and what they start; some programs read the names in lowercase only. */
const loginFile = (proxy: NodeProxy): BootstrapFile => ({
  path: "/etc/environment",
  permissions: "0644",
  append: true,
  content: [
    ...proxyVariables(proxy).flatMap(({ name, value }) => [
      `${name}=${value}`,
      `${name.toLowerCase()}=${value}`,
    ]),
    "",
  ].join("\n"),
});

/** For images of Ubuntu, as CAPZ's are. containerd of image-builder's images reads /etc/containerd/certs.d at each pull. */
export function linuxEgress(egress: NodeEgress = {}): EgressData {
  const { proxy, registryMirror } = egress;
  const certificates = certificateFiles(egress, "/usr/local/share/ca-certificates");
  const restarts = proxy !== undefined || certificates.length > 0;
  return {
    files: [
      ...certificates,
      ...(proxy ? [serviceFile("containerd", proxy), serviceFile("kubelet", proxy), loginFile(proxy)] : []),
      ...mirrorFiles(registryMirror, "/etc/containerd/certs.d"),
    ],
    preKubeadmCommands: [
      ...(certificates.length > 0 ? ["update-ca-certificates"] : []),
      ...(proxy ? ["systemctl daemon-reload"] : []),
      // containerd reads both only when it starts.
      ...(restarts ? ["systemctl restart containerd"] : []),
    ],
    postKubeadmCommands: [],
  };
}

const setProxy = (service: string, proxy: NodeProxy): string =>
  `${runScript("C:/set-proxy.ps1")} -Service ${service} -Proxy ${proxy.url} -NoProxy "${proxy.noProxy.join(",")}" -Direct "${azureHostAddresses.join(";")}"`;

/** For image-builder's images, whose containerd looks for no hosts.toml on Windows unless its configuration says where. */
export function windowsEgress(egress: NodeEgress = {}): EgressData {
  const { proxy, registryMirror } = egress;
  const certificates = certificateFiles(egress, "C:/k/ca");
  const before = [
    ...certificates.map(({ path }) => `certutil -addstore -f Root ${path.replaceAll("/", "\\")}`),
    ...(registryMirror ? [runScript("C:/set-registry-folder.ps1")] : []),
    ...(proxy ? [setProxy("containerd", proxy)] : []),
  ];
  return {
    files: [
      ...certificates,
      ...(proxy ? [scriptFile("set-proxy.ps1")] : []),
      ...(registryMirror ? [scriptFile("set-registry-folder.ps1")] : []),
      ...mirrorFiles(registryMirror, "C:/ProgramData/containerd/certs.d"),
    ],
    preKubeadmCommands:
      before.length === 0
        ? []
        : [...before, 'powershell -NoProfile -Command "Restart-Service -Name containerd -Force"'],
    // After `kubeadm join` the image recreates the service of kubelet, without an environment.
    postKubeadmCommands: proxy
      ? [setProxy("kubelet", proxy), 'powershell -NoProfile -Command "Restart-Service -Name kubelet -Force"']
      : [],
  };
}
