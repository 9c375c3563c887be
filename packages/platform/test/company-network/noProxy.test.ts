import { egressTargets, isDirect, targetOf } from "capz-windows-platform/company-network/noProxy";

it.each<[entry: string, direct: readonly string[], byProxy: readonly string[]]>([
  ["example.com", ["https://example.com", "https://a.EXAMPLE.com:8443"], ["https://anexample.com"]],
  [".example.com", ["https://a.example.com"], ["https://example.com", "https://example.org"]],
  ["*.example.com", ["https://a.b.example.com"], ["https://example.com"]],
  ["example.com:8443", ["https://a.example.com:8443"], ["https://a.example.com"]],
  ["10.50.0.0/16", ["https://10.50.1.5"], ["https://10.51.0.1", "https://a.example.com"]],
  ["10.50.1.5", ["https://10.50.1.5:8443"], ["https://10.50.1.50"]],
  ["10.50.1.5:443", ["https://10.50.1.5"], ["https://10.50.1.5:8443"]],
  ["*", ["https://10.50.1.5", "https://a.example.com"], []],
])("NO_PROXY %s is read as programs in Go read it", (entry, direct, byProxy) => {
  const said = (url: string) => isDirect(targetOf(url) ?? { host: "", port: 0 }, ["other.test", entry]);
  expect(direct.filter((url) => !said(url))).toEqual([]);
  expect(byProxy.filter(said)).toEqual([]);
});

it("a mirror behind the proxy is not reached by machines", () => {
  const proxy = { url: "http://10.50.1.5:3128", noProxy: [".example.com"] };
  const mirror = { url: "https://mirror.example.com/cache" };
  const target = { host: "mirror.example.com", port: 443 };
  const byProxy = { host: "10.50.1.5", port: 3128, address: "10.50.1.5" };
  expect(egressTargets(proxy, mirror)).toEqual({ proxy: byProxy, mirror: target });
  expect(egressTargets({ ...proxy, noProxy: [] }, mirror)).toEqual({ proxy: byProxy });
  expect(egressTargets(undefined, mirror)).toEqual({ mirror: target });
});
