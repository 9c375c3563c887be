import { describeOnWindows, runOnWindows } from "../powershell";

const noProxy = "localhost,10.0.0.0/8,.svc";
const direct = "169.254.169.254;168.63.129.16";
const told = (proxy: string, code = 0) =>
  runOnWindows("set-proxy.ps1", {
    args: { Service: "containerd", Proxy: proxy, NoProxy: noProxy, Direct: direct },
    answers: {
      "New-ItemProperty": { out: [{ Environment: "x" }] },
      netsh: { out: ["Current WinHTTP proxy settings:"], code },
    },
  });

describeOnWindows("set-proxy.ps1", () => {
  it("gives the proxy to later processes, to the service at its next start, and to Windows", async () => {
    expect(await told("http://proxy.example.com:3128")).toMatchObject({
      code: 0,
      calls: [
        "SetEnvironmentVariable HTTP_PROXY http://proxy.example.com:3128 Machine",
        "SetEnvironmentVariable HTTPS_PROXY http://proxy.example.com:3128 Machine",
        `SetEnvironmentVariable NO_PROXY '${noProxy}' Machine`,
        "New-ItemProperty -LiteralPath HKLM:\\SYSTEM\\CurrentControlSet\\Services\\containerd -Name Environment -PropertyType MultiString" +
          ` -Value HTTP_PROXY=http://proxy.example.com:3128,HTTPS_PROXY=http://proxy.example.com:3128,'NO_PROXY=${noProxy}' -Force`,
        `netsh winhttp set proxy proxy-server=proxy.example.com:3128 'bypass-list=<local>;${direct}'`,
      ],
      output: [
        "Current WinHTTP proxy settings:",
        "containerd and Windows use the proxy proxy.example.com:3128.",
      ],
    });
  });

  it.each([
    ["https://proxy.example.com:443", "proxy.example.com:443"],
    ["http://proxy.example.com:80", "proxy.example.com:80"],
    ["http://proxy.example.com", "proxy.example.com:80"],
    ["https://proxy.example.com/", "proxy.example.com:443"],
    ["http://10.0.0.4:8080", "10.0.0.4:8080"],
    ["http://[fd00::4]:3128", "[fd00::4]:3128"],
  ])("tells WinHTTP the port of %s", async (proxy, address) => {
    const { calls, output } = await told(proxy);
    expect(calls.at(-1)).toContain(`proxy-server=${address} `);
    expect(output.at(-1)).toBe(`containerd and Windows use the proxy ${address}.`);
  });

  it("fails where netsh refuses, and does not say that Windows uses the proxy", async () => {
    const { code, output } = await told("http://proxy.example.com:3128", 5);
    expect(code).toBe(1);
    expect(output).toEqual([
      "Current WinHTTP proxy settings:",
      "ERROR: netsh did not give Windows the proxy proxy.example.com:3128: exit code 5.",
    ]);
  });

  it("fails where there is no such service, before Windows has the proxy", async () => {
    const { code, calls } = await runOnWindows("set-proxy.ps1", {
      args: { Service: "kubelet", Proxy: "http://p.example:3128", NoProxy: noProxy, Direct: direct },
      answers: { "New-ItemProperty": { error: "Cannot find path" }, netsh: {} },
    });
    expect(code).toBe(1);
    expect(calls.at(-1)).toContain("Services\\kubelet");
  });

  it("hands on no empty host", async () => {
    const { code, calls, output } = await told("proxy");
    expect([code, output]).toEqual([1, ["ERROR: The proxy proxy names no host."]]);
    expect(calls.filter((call) => call.startsWith("netsh"))).toEqual([]);
  });
});
