import type { IncomingMessage, ServerResponse } from "node:http";
import type { KubeConfig } from "@kubernetes/client-node" with { "resolution-mode": "import" };
import { apiServerAt } from "capz-windows-kit/io/apiServer";
import { exchange } from "capz-windows-kit/io/exchange";
import { HttpStandIn } from "capz-windows-test-kit/standIn";

class Quoting extends HttpStandIn {
  answer: (request: IncomingMessage) => [status: number, body: unknown] = () => [200, {}];

  protected respond(request: IncomingMessage, response: ServerResponse): void {
    const [status, body] = this.answer(request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }
}

const server = new Quoting();
let url = "";

beforeAll(async () => {
  url = await server.listen();
});

afterAll(() => {
  server.close();
});

describe("an answer that quotes the login of its request has it hidden,", () => {
  const login = "kubeconfig-u-abc12:x7mzp4lq9w2vbnk5";
  const mark = "(not shown: the login of this command)";
  const told = async (status: number, authorization: string, text: string): Promise<string> => {
    server.answer = () => [status, { kind: "Status", message: text }];
    const { body } = await exchange(new URL(url), { headers: { authorization } });
    return (JSON.parse(body.toString()) as { message: string }).message;
  };

  it.each<[string, number, string, string, string]>([
    ["whole", 401, `Bearer ${login}`, `token Bearer ${login}!`, `token Bearer ${mark}!`],
    ["also where it is an answer", 200, `Bearer ${login}`, `got ${login}`, `got ${mark}`],
    ["only the half that is secret", 403, `Bearer ${login}`, "x7mzp4lq9w2vbnk5", mark],
    ["a short one", 401, "Bearer S3cr", "bad S3cr", `bad ${mark}`],
    ["in base64", 401, `Bearer ${login}`, Buffer.from(login).toString("base64"), mark],
    ["in a URL", 401, `Bearer ${login}`, encodeURIComponent(login), mark],
    ["with signs that JSON escapes", 401, 'Bearer a"b\\c', 'bad a"b\\c', `bad ${mark}`],
    [
      "a password of Basic",
      401,
      `Basic ${Buffer.from("me:pw0rdX").toString("base64")}`,
      "me, pw0rdX",
      `me, ${mark}`,
    ],
    ["but no word of an object", 200, "Bearer pods", "pods", "pods"],
    ["encoded in small letters", 401, "Bearer a/b+c=", "x%2fb", "x%2fb"],
    ["encoded in small letters, whole", 401, "Bearer a/b+c=", "at a%2fb%2bc%3d", `at ${mark}`],
    ["encoded twice", 401, "Bearer a/b+c=", "at a%252Fb%252Bc%253D", `at ${mark}`],
    ["as JSON in a text", 401, 'Bearer a"b/c', JSON.stringify('a"b/c').replace("/", "\\/"), `"${mark}"`],
    ["as Go and .NET write it", 401, "Bearer a+b&c", "a\\u002Bb\\u0026c", mark],
    ["in HTML", 401, 'Bearer a"b&c', "a&quot;b&amp;c", mark],
    [
      "in base64url",
      401,
      "Bearer ??>>a",
      Buffer.from("??>>a").toString("base64url"),
      expect.stringContaining(mark) as string,
    ],
    [
      "as a part of what is in base64",
      403,
      `Bearer ${login}`,
      Buffer.from(`x${login}yy`).toString("base64"),
      expect.stringContaining(mark) as string,
    ],
    ["in hexadecimal", 401, `Bearer ${login}`, Buffer.from(login).toString("hex"), mark],
  ])("%s", async (_, status, authorization, said, shown) => {
    expect(await told(status, authorization, said)).toEqual(shown);
  });

  const basic = (password: string): string => `Basic ${Buffer.from(`me:${password}`).toString("base64")}`;

  it.each<[string, string, string]>([
    ["in a URL", "pässwort1", "p%C3%A4sswort1"],
    ["in a URL, in small letters", "pässwort1", "p%c3%a4sswort1"],
    ["in a URL, twice", "pässwort1", "p%25C3%25A4sswort1"],
    ["in a URL of an old program", "pässwort1", "p%E4sswort1"],
    ["in JSON", "pässwort1", "p\\u00e4sswort1"],
    ["in JSON, of two parts", "p😀sswort1", "p\\ud83d\\ude00sswort1"],
    ["in Python", "pässwort1", "p\\xc3\\xa4sswort1"],
    ["in HTML", "pässwort1", "p&#228;sswort1"],
    ["in HTML, hexadecimal", "pässwort1", "p&#xE4;sswort1"],
    ["as it is", "pässwort1", "pässwort1"],
  ])("with characters beyond ASCII %s", async (_, password, said) => {
    expect(await told(401, basic(password), `p=${said}&q="a"`)).toBe(`p=${mark}&q="a"`);
  });

  it.each<[string, string, string]>([
    ["that are decoded too", "a%41b/c", "a%41b%2fc"],
    ["that are encoded", "a%41b/c", encodeURIComponent("a%41b/c")],
    ["at its end", "abc/d\\", JSON.stringify("abc/d\\").slice(1, -1)],
    ["that are no character", "a&#9999999;b/c", "a&#9999999;b%2fc"],
  ])("with signs of its own %s", async (_, password, said) => {
    expect(await told(401, basic(password), `p=${said}, "q"`)).toBe(`p=${mark}, "q"`);
  });

  // Letters that differ, with all that is encoded in URLs, JSON and HTML.
  const long = Array.from({ length: 1000 }, (_, index) => `${String(index).padStart(4, "0")}"/+&=\\`).join(
    "",
  );
  const twice = JSON.stringify(JSON.stringify(long)).slice(3, -3);

  it.each<[string, string]>([
    ["whole", long],
    ["in a URL", encodeURIComponent(long)],
    ["in a URL, twice", encodeURIComponent(encodeURIComponent(long))],
    ["in JSON", JSON.stringify(long).slice(1, -1)],
    ["in JSON, twice", twice],
    ["in base64", Buffer.from(long).toString("base64")],
    ["in base64url", Buffer.from(long).toString("base64url")],
    ["in hexadecimal", Buffer.from(long).toString("hex")],
  ])("of 10,000 characters, at once, %s", async (_, said) => {
    const { user } = process.cpuUsage();
    const shown = await told(401, `Bearer ${long}`, `%20 ${said}!`);
    expect(process.cpuUsage().user - user).toBeLessThan(1_000_000);
    // The last signs of base64 also say what is behind it.
    expect(shown.replace(/\)[\w=]{1,3}!$/, ")!")).toBe(`%20 ${mark}!`);
  });

  it("as the kubeconfig's package sends it", async () => {
    server.answer = ({ headers }) => [401, { message: `no ${headers.authorization ?? ""}` }];
    const config = {
      applyToHTTPSOptions: (options: { headers: object }) => {
        options.headers = { Authorization: `Bearer ${login}` };
        return Promise.resolve();
      },
    } as unknown as KubeConfig;
    const { body } = await apiServerAt(config, url)("/api", { method: "GET" });
    expect(body).toEqual({ message: `no Bearer ${mark}` });
  });
});
