import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { quantity } from "capz-windows-kit/quantity";
import { imageFacts, RegistryError } from "windows-workloads/images";
import { askDigest, askRegistry, placeOf } from "windows-workloads/registry";
import {
  isReference,
  placeholderIn,
  referenceProblem,
} from "capz-windows-platform/workloads/imageReferences";
import { podYaml, workloads } from "./support";

describe("the platforms of an image", () => {
  const index = {
    schemaVersion: 2,
    manifests: [
      { platform: { os: "windows", architecture: "amd64", "os.version": "10.0.17763.6293" } },
      { platform: { os: "windows", architecture: "amd64", "os.version": "10.0.26100.1" } },
      { platform: { os: "unknown", architecture: "unknown" } },
    ],
  };

  it("come from the registry, or from the tag if the registry does not answer", async () => {
    const ask = (reference: string) =>
      reference.endsWith(":known")
        ? Promise.resolve(
            ["17763.6293", "26100.1"].map((build) => ({
              os: "windows",
              architecture: "amd64",
              osVersion: `10.0.${build}`,
            })),
          )
        : Promise.reject(new Error("the registry requires a login"));
    const known = await workloads({ "m.yaml": podYaml({}, "r.example/app:known") }, [], { ask });
    expect(known.out).toContain(
      "win2022        scheduled, but fails to start: the image r.example/app:known is for Windows Server 2019 (build 17763), Windows Server 2025 (build 26100) (its registry says), and Windows Server 2022 starts build 20348 only",
    );
    const tagged = await workloads({ "m.yaml": podYaml({}) }, [], { ask });
    expect(tagged.out).toContain(
      "note           the image r.example/app:1-ltsc2022 was only judged by its tag (the registry requires a login)",
    );
    expect([known.code, tagged.code]).toEqual([2, 0]);
  });

  describe("in a registry", () => {
    let server: Server;
    let base = "";
    const asked: string[] = [];
    const digestOf = (value: unknown): string =>
      `sha256:${createHash("sha256").update(JSON.stringify(value)).digest("hex")}`;
    const config = { os: "windows", architecture: "amd64", "os.version": "10.0.20348.1", rootfs: {} };
    const single = { schemaVersion: 2, config: { digest: digestOf(config) } };
    const other = { schemaVersion: 2, config: { digest: `sha256:${"0".repeat(64)}` } };
    /** What a proxy or another registry may answer with 200 in place of a manifest. */
    const pages: Readonly<Record<string, unknown>> = {
      empty: {},
      list: [],
      text: "login",
      old: { schemaVersion: 1, config: { digest: digestOf(config) } },
      alone: { schemaVersion: 2 },
      path: { schemaVersion: 2, config: { digest: "../../other/manifests/1" } },
      none: { schemaVersion: 2, manifests: [] },
    };

    beforeAll(async () => {
      server = createServer((request, response) => {
        const { url = "", headers } = request;
        asked.push(url);
        const json = (value: unknown, status = 200) => response.writeHead(status).end(JSON.stringify(value));
        if (url.startsWith("/token")) {
          json({ token: "anonymous" });
        } else if (url.startsWith("/v2/login/")) {
          response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
        } else if (headers.authorization !== "Bearer anonymous") {
          const challenge = `Bearer realm="http://${base}/token",service="r",scope="repository:app:pull"`;
          response.writeHead(401, { "www-authenticate": challenge }).end();
        } else if (url === "/v2/team/app/manifests/1") {
          json(index);
        } else if (url === `/v2/single/manifests/${digestOf(single)}`) {
          json(single);
        } else if (url === `/v2/single/blobs/${digestOf(config)}`) {
          json(config);
        } else if (url.startsWith("/v2/page/manifests/")) {
          json(pages[url.split("/").at(-1) ?? ""]);
        } else if (url.startsWith("/v2/other/")) {
          json(url.endsWith("/manifests/1") ? other : config);
        } else {
          json({}, url.includes("broken") ? 500 : 404);
        }
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      base = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      process.env.CAPZ_WINDOWS_LOCAL_REGISTRIES = `${base} localhost:1`;
    });

    afterAll(() => {
      delete process.env.CAPZ_WINDOWS_LOCAL_REGISTRIES;
      server.close();
    });

    it("are in its index, which needs an anonymous token", async () => {
      expect(await askRegistry(`${base}/team/app:1`)).toEqual([
        { os: "windows", architecture: "amd64", osVersion: "10.0.17763.6293" },
        { os: "windows", architecture: "amd64", osVersion: "10.0.26100.1" },
      ]);
      expect(asked).toContain("/token?service=r&scope=repository%3Aapp%3Apull");
    });

    it("are in its config if it has no index", async () => {
      expect(await askRegistry(`${base}/single@${digestOf(single)}`)).toEqual([
        { os: "windows", architecture: "amd64", osVersion: "10.0.20348.1" },
      ]);
    });

    it.each([
      ["gone:1", "the registry has no such image"],
      ["login/app:1", "the registry requires a login"],
      ["broken:1", "the registry answered 500"],
    ])("%s: %s", async (image, message) => {
      await expect(askRegistry(`${base}/${image}`)).rejects.toThrow(message);
    });

    it.each(["../../admin?x=y:1", "a/%2e%2e/%2e%2e/b:1", "a@sha256:../../../etc", "a:<tag>", "A/b:1"])(
      "is not asked for %s, which is no reference",
      async (image) => {
        const before = asked.length;
        await expect(askRegistry(`${base}/${image}`)).rejects.toThrow(
          "the reference is not valid, so no registry is asked",
        );
        const facts = await imageFacts([`${base}/${image}`], askRegistry);
        expect([...facts.values()]).toEqual([{ from: "tag", platforms: [] }]);
        expect(asked.length).toBe(before);
      },
    );

    it("has a digest, computed from what comes, and a page of a proxy has none", async () => {
      const digest = createHash("sha256").update(JSON.stringify(index)).digest("hex");
      expect(await askDigest(`${base}/team/app:1`)).toBe(`sha256:${digest}`);
      await expect(askDigest(`${base}/gone:1`)).rejects.toThrow("the registry has no such image");
    });

    it.each(Object.keys(pages))("a page with 200 is no image: %s", async (page) => {
      for (const ask of [askRegistry, askDigest]) {
        await expect(ask(`${base}/page:${page}`)).rejects.toThrow(
          "the registry answered with something else than a manifest",
        );
      }
    });

    it("what a digest names is used with it only", async () => {
      const message = "the registry answered with something of another digest";
      await expect(askRegistry(`${base}/other:1`)).rejects.toThrow(message);
      await expect(askDigest(`${base}/other@sha256:${"0".repeat(64)}`)).rejects.toThrow(message);
    });

    it("that cannot be reached is asked for few images, and no longer than two minutes at all", async () => {
      const asked: string[] = [];
      const ask = (reference: string) => {
        asked.push(reference);
        return reference.startsWith("gone.example")
          ? Promise.reject(new RegistryError("x", { isUnreachable: true }))
          : Promise.reject(new RegistryError("the registry has no such image"));
      };
      const references = Array.from({ length: 9 }, (_, index) => [
        `gone.example/app:${index}`,
        `here.example/app:${index}`,
      ]).flat();
      const facts = await imageFacts(references, ask);
      expect(asked.filter((reference) => reference.startsWith("gone.")).length).toBeLessThanOrEqual(4);
      expect(asked.filter((reference) => reference.startsWith("here."))).toHaveLength(9);
      expect(facts.get("gone.example/app:8")?.problem).toBe(
        "the registry gone.example did not answer, and was not asked again",
      );
      const clock = jest.spyOn(Date, "now");
      clock.mockReturnValueOnce(0).mockReturnValue(121_000);
      expect((await imageFacts(["other.example/app:1"], ask)).get("other.example/app:1")?.problem).toBe(
        "the registries were asked for 120 seconds, and this one no more",
      );
      clock.mockRestore();
      expect(asked).not.toContain("other.example/app:1");
    });

    it("that cannot be reached is named", async () => {
      await expect(askRegistry("localhost:1/app:1")).rejects.toThrow(
        "the registry localhost:1 cannot be reached",
      );
    });
  });

  it.each([
    ["nginx", "https://registry-1.docker.io", "library/nginx", "latest"],
    ["team/app:1", "https://registry-1.docker.io", "team/app", "1"],
    [
      "mcr.microsoft.com/windows/nanoserver:ltsc2022",
      "https://mcr.microsoft.com",
      "windows/nanoserver",
      "ltsc2022",
    ],
    ["r.example:5000/app@sha256:ab", "https://r.example:5000", "app", "sha256:ab"],
  ])("%s is looked up at %s as %s, %s", (image, base, repository, reference) => {
    expect(placeOf(image)).toEqual({ base, repository, reference });
  });

  it("a text that is longer than any reference is none, and is not searched for placeholders", () => {
    const long = `${"a".repeat(1000)}\${TAG}`;
    expect(placeholderIn(long)).toBeUndefined();
    expect(referenceProblem(long)).toBe(
      "is no valid reference: write [HOST/]NAME:TAG, or NAME@sha256: and 64 digits",
    );
    expect(isReference(`r.example/${"a".repeat(900)}:1`)).toBe(true);
  });
});

it("quantities are parsed like in Kubernetes", () => {
  const cases = {
    "1": 1,
    "500m": 0.5,
    "1.5Gi": 1.5 * 2 ** 30,
    "2k": 2000,
    "1e3": 1000,
    ".5": 0.5,
    "1M": 1e6,
  };
  for (const [text, value] of Object.entries(cases)) {
    expect(quantity(text)).toBeCloseTo(value, 9);
  }
  expect(["", "x", "1 Gi", "1GiB"].map(quantity)).toEqual([undefined, undefined, undefined, undefined]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), (n) => {
      expect(quantity(n)).toBe(n);
      expect(quantity(`${n}Ki`)).toBe(n * 1024);
    }),
  );
});
