import { windowsExporterObjects } from "../../addons/windowsExporter";
import { at, list } from "capz-windows-kit/untyped";

const [daemonSet, service] = windowsExporterObjects({
  version: "0.31.8",
  allowedCidrs: ["10.10.0.0/16", "192.168.0.0/16"],
});
const pod = at(daemonSet, "spec", "template", "spec");

it("has a pinned image, and no access to the API", () => {
  expect(pod).toMatchObject({ automountServiceAccountToken: false });
  const images = [...list(at(pod, "initContainers")), ...list(at(pod, "containers"))].map(
    ({ image }) => image,
  );
  expect(new Set(images)).toEqual(new Set(["ghcr.io/prometheus-community/windows-exporter:0.31.8"]));
});

it("opens its port to these networks, by one rule however many pods a node has had", () => {
  const [firewall] = list(at(pod, "initContainers"));
  const command = (firewall?.args as string[]).at(-1);
  expect(command).toBe(
    "if (Get-NetFirewallRule -Name windows-exporter -ErrorAction SilentlyContinue) { Set-NetFirewallRule -Name windows-exporter -RemoteAddress 10.10.0.0/16,192.168.0.0/16 } else { New-NetFirewallRule -Name windows-exporter -DisplayName windows-exporter -Direction Inbound -Action Allow -Protocol TCP -LocalPort 9182 -RemoteAddress 10.10.0.0/16,192.168.0.0/16 | Out-Null }",
  );
});

it("has a headless Service, so that it can be scraped node by node", () => {
  expect(service?.spec).toMatchObject({
    clusterIP: "None",
    selector: at(daemonSet, "spec", "template", "metadata", "labels"),
    ports: [{ name: "metrics", port: 9182, targetPort: "metrics" }],
  });
});
