import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/** Path of a browser: CHROME_BIN, or a Chromium on PATH. Undefined if there is none. */
export const browser: string | undefined = [
  process.env.CHROME_BIN ?? "",
  ...(process.env.PATH ?? "").split(delimiter).flatMap((dir) => names.map((name) => join(dir, name))),
].find((path) => path !== "" && existsSync(path));

export interface View {
  /** Width of the window in CSS pixels. */
  readonly width: number;
  readonly dark: boolean;
}

/** Result of a function that runs in a page after layout in a browser. The function returns JSON. */
export function inBrowser(page: string, { width, dark }: View, script: string): unknown {
  const dir = mkdtempSync(join(tmpdir(), "capz-windows-browser-"));
  try {
    const file = join(dir, "page.html");
    const measured = `<script>addEventListener("load", () => {
      const said = document.createElement("pre");
      said.id = "said";
      said.textContent = encodeURIComponent(JSON.stringify((${script})()));
      document.body.append(said);
    })</script>`;
    // The page's own policy forbids scripts, so it is removed for the measurement.
    writeFileSync(file, page.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "") + measured);
    const { stdout, stderr } = spawnSync(
      browser ?? "",
      [
        ...["--headless", "--disable-gpu", "--no-first-run", `--user-data-dir=${join(dir, "profile")}`],
        // Chromium's own sandbox does not work for root, as in most containers.
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        ...[`--window-size=${width},900`, `--blink-settings=preferredColorScheme=${dark ? 0 : 1}`],
        ...["--dump-dom", `file://${file}`],
      ],
      { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
    );
    const [, said] = /<pre id="said">([^<]*)<\/pre>/.exec(stdout) ?? [];
    if (said === undefined) {
      throw new Error(`the browser said nothing of the page: ${stderr.slice(-1000)}`);
    }
    return JSON.parse(decodeURIComponent(said)) as unknown;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
