import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { windowsExporterObjects } from "../../addons/windowsExporter";
import { components } from "capz-windows-platform/compatibility";
import { readText } from "../architecture/sources";

/** The dashboard can be imported, and asks for what windows_exporter has. */

interface Dashboard {
  readonly panels: readonly { readonly id: number; readonly targets: readonly { readonly expr: string }[] }[];
}

const dashboard = JSON.parse(readText("docs/dashboards/windows-nodes.json")) as Dashboard;
const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const metrics = [...new Set(expressions.join(" ").match(/windows_\w+/g))];

/** Collectors that are on by default in this release (pkg/collector/types.go), and the one that the add-on adds. */
const collectors = [
  "cpu",
  "memory",
  "logical_disk",
  "physical_disk",
  "net",
  "os",
  "service",
  "system",
  "container",
];

it("each panel has its own number and a query for the chosen nodes", () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  expect(expressions.filter((expr) => !expr.includes('instance=~"$instance"'))).toEqual([]);
});

it("each metric is of a collector that the add-on switches on", () => {
  const objects = JSON.stringify(windowsExporterObjects({ version: "0.31.8", allowedCidrs: [] }));
  expect(objects).toContain("--collectors.enabled=[defaults],container");
  expect(objects).toContain("--collector.service.include=containerd|kubelet");
  const of = (metric: string) => collectors.some((name) => metric.startsWith(`windows_${name}_`));
  expect(metrics.length).toBeGreaterThan(8);
  expect(metrics.filter((metric) => !of(metric))).toEqual([]);
  expect(readText("docs/dashboards.md")).toContain(`windows_exporter ${components.windowsExporter.version}`);
});

const docs = process.env.CAPZ_WINDOWS_EXPORTER_DOCS;
const named = docs === undefined ? it.skip : it;
named("each metric is in the documents of windows_exporter, which needs CAPZ_WINDOWS_EXPORTER_DOCS", () => {
  const texts = collectors
    .map((name) => join(docs ?? "", `collector.${name}.md`))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("");
  expect(metrics.filter((metric) => !texts.includes(`\`${metric}\``))).toEqual([]);
  expect(texts).not.toContain("`windows_cpu_time`");
});
