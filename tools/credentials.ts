import { memoize } from "./memoize";

/**
 * Credentials in texts that are no place for them. No function here returns a part of such a text. Repetitions have limits,
 * so that the time for a text grows with its length only.
 */

interface Credential {
  /** With an article. */
  readonly what: string;
  /** Whether it is a private key, which has no other use than as a secret. */
  readonly isKey: boolean;
}

/** The beginning of a value that is written there, and not taken from a variable, a file or another command, or by a pattern. */
const value = `["']?(?![-$<%(@{["'/*]|\\\\\\(|(?:true|false|null|none|yes|no|auto)\\b|(?:get|read|new|import|convert\\w*|invoke|join)-)[^\\s"',;]`;

const names =
  "passw(?:or)?d|passwd|pwd|token|api[-_]?key|access[-_]?key|account[-_]?key|client[-_]?secret|secret[-_]?key";

const rows: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    "a GitHub, GitLab, npm or Slack token",
    /\b(?:gh[oprsu]_\w{36}|github_pat_\w{22,}|glpat-[\w-]{20}|npm_\w{36}|xox[abprs]-[\w-]{10,})/,
  ],
  ["a JSON Web Token", /\beyJ[\w-]{8,2000}\.[\w-]{8,}/],
  ["a client secret of Microsoft Entra", /[0-9]Q~[\w.~-]{20,}/],
  ["a bearer token", /\bBearer\s+[\w.~+/-]{16,}/i],
  ["the signature of a SAS URL", /[?&;]sig=[\w%+/-]{20,}/i],
  [
    "a user with a password in a URL",
    /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"'$<%{]{1,200}:(?![$<%{])[^\s/@"']+@/i,
  ],
  ["registry credentials of Docker", /"auths"[^]{0,2000}"(?:auth|password|identitytoken)"\s*:\s*"[^"$<{]/i],
  [
    "a password of net use",
    new RegExp(
      `\\bnet1?(?:\\.exe)?\\s+use\\s+(?:\\S+\\s+)??["']?\\\\\\\\\\S+\\s+(?:/user:\\S+\\s+)?(?![&|;>])${value}`,
      "i",
    ),
  ],
  [
    "a password of a login",
    new RegExp(
      `\\b(?:docker|podman|nerdctl|oras|crane|skopeo|az|az\\s+acr|(?:helm|oras)\\s+registry)(?:\\.exe)?\\s+login\\b[^\\n]{0,500}?\\s(?:-p|--password)(?:\\s+|=)?${value}`,
      "i",
    ),
  ],
  [
    "a user with a password",
    new RegExp(
      `\\b(?:curl|wget|ctr|crictl|skopeo)(?:\\.exe)?[^\\n]{0,500}?\\s(?:-u|--user|--creds)(?:\\s+|=)["']?[^\\s:$%"'<(/]{1,200}:${value}`,
      "i",
    ),
  ],
  ["a password", new RegExp(`(?:${names})["']?[^\\S\\n]*[:=][^\\S\\n]*${value}`, "i")],
  [
    "a password",
    new RegExp(
      `\\b(?:setx(?:\\.exe)?\\s+(?:/m\\s+)?|SetEnvironmentVariable\\(\\s*)["']?\\w{0,60}?(?:${names})\\w{0,60}["']?(?:\\s*,)?\\s*${value}`,
      "i",
    ),
  ],
  ["a password", new RegExp(`(?:^|\\s)(?:[-/](?:${names})\\s+|/pass:)${value}`, "i")],
];

/** A private key in PEM, of PuTTY or of a kubeconfig: with its content, because scripts look for the first line. */
const key =
  /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY-----(?:\s|\\[rn]|[\w-]+: [^\n]*\n)*[A-Za-z0-9+/]{8}|PuTTY-User-Key-File-\d+: \S|client-key-data:\s*["']?[A-Za-z0-9+/]{16}/;

/** The first credential in a text, without any part of it. A private key comes before all others. */
export const credentialIn = memoize((text: string): Credential | undefined => {
  if (key.test(text)) {
    return { what: "a private key", isKey: true };
  }
  const what = rows.find(([, pattern]) => pattern.test(text))?.[0];
  return what === undefined ? undefined : { what, isKey: false };
});
