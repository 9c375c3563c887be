/**
 * The forms in which credentials stand in commands, scripts, manifests and addresses. Each pattern ends with the group `secret`:
 * the whole credential, or the first character of its value. Repetitions have limits, so that the time for a text grows with its
 * length only.
 */

/** What is no value that is written there: one from a variable, a file or another command, a pattern, a path, or a switch. */
const noValue = String.raw`[-$<%(@{["'/*|>=\\]|[a-z]:[\\/]|(?:true|false|null|none|nil|yes|no|auto)\b|(?:get|read|new|import|convert\w*|invoke|join)-`;

/** The beginning of a value, in quotes or without. */
const value = String.raw`\\{0,4}["']?(?!${noValue})(?<secret>[^\s"',;])`;

/** Keys whose value is a credential, and the ends of such keys. NOPASSWD of sudo has none. */
const longNames = String.raw`(?<!\bno)passw(?:or)?(?:dd?|t)|passphrase|passcode|kennwort|mot[-_ ]?de[-_ ]?passe|contrase[nñ]a|pwd|bind_?pw|root_?pw|token|psk|_auth|(?:api|access|account|subscription|shared|auth|license|licence|storage|primary|secondary|master|admin|private|signing|functions?|host)[-_ ]?key|(?:client|app|application|consumer|shared|webhook|signing|jwt|session|api|oauth)[-_ ]?secret|secret[-_]?(?:access[-_]?)?key`;

/** Short ones, which would also be parts of other words. */
const shortNames = String.raw`(?<![a-z])(?:pass|pw|pat|creds?)(?![a-z])`;

const names = `(?:${longNames}|${shortNames})`;

/** An option of one of these programs that takes a password. */
const option = (programs: string, options: string): string =>
  String.raw`\b(?:${programs})(?:\.exe)?\b[^\n]{0,500}?\s(?:${options})`;

/** What reads a password from its standard input. */
const readers = String.raw`--password-stdin|--passphrase-fd|--with-token|--stdin\b|\bsudo\s[^\n]{0,40}-S\b|\bchpasswd\b|\bkinit\b|\brunas\b|\bsmbpasswd\b|\bcryptsetup\b|\bsecret\s+create\b|ConvertTo-SecureString`;

export interface CredentialForm {
  /** With an article. */
  readonly what: string;
  readonly pattern: RegExp;
  /** Whether the pattern has matched the whole credential, and not its first character. */
  readonly isWhole: boolean;
}

const whole = (what: string, pattern: string, flags = ""): CredentialForm => ({
  what,
  pattern: new RegExp(pattern, `g${flags}`),
  isWhole: true,
});

const begun = (what: string, pattern: string, flags = "i"): CredentialForm => ({
  what,
  pattern: new RegExp(pattern, `g${flags}`),
  isWhole: false,
});

/** Tokens whose own text says what they are, by the prefixes that their services document. */
const tokens: readonly CredentialForm[] = [
  whole(
    "a GitHub, GitLab, npm or Slack token",
    String.raw`\b(?:gh[oprsu]_\w{36}|github_pat_\w{22,}|gl(?:pat|rt|dt|ptt|agent|cbt|oas|soat|ffct|imt|ft)-[\w-]{20,}|npm_\w{36}|xox[abeprs]-[\w-]{10,}|xapp-[\w-]{10,})`,
  ),
  whole("a JSON Web Token", String.raw`\beyJ[\w-]{8,2000}\.[\w-]{8,}(?:\.[\w-]*){0,3}`),
  whole("a client secret of Microsoft Entra", String.raw`[\w.~-]{0,5}[0-9]Q~[\w.~-]{20,}`),
  whole(
    "a key of an Azure service",
    String.raw`\b[A-Za-z0-9+/]{76}(?:AZDO|\+ASt|\+ASb|\+AEh|\+ARm|\+ACR|AzSe|AzCa|AzFu|AIoT|APIM|ACDb)[A-Za-z0-9+/]{4,8}={0,2}`,
  ),
  whole("an access key of AWS", String.raw`\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b`),
  whole("a key of a Google service", String.raw`\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{20,})`),
  whole(
    "an access token of a service",
    String.raw`\b(?:(?:sk|rk|pk)_(?:live|test)_\w{10,}|SG\.[\w-]{16,}\.[\w-]{16,}|dckr_(?:pat|oat)_[\w-]{20,}|pypi-[\w-]{50,}|oy2[a-z0-9]{43}|hv[sbr]\.[\w-]{20,}|pul-[0-9a-f]{40}|[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}|gl(?:sa|c)_[\w+/=]{20,}|sk-(?:ant-|proj-|svcacct-)?[\w-]{20,}|hf_[A-Za-z]{30,}|dapi[0-9a-f]{32}|NRAK-[A-Z0-9]{27}|tskey-[\w-]{20,}|AT(?:ATT|CTT)3x[\w=-]{20,}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|do[opr]_v1_[0-9a-f]{64}|rubygems_[0-9a-f]{48}|dp\.(?:pt|st|ct)\.[\w.]{20,}|AGE-SECRET-KEY-1[A-Z0-9]{20,})`,
  ),
  whole("a token of a bot", String.raw`/bot\d{6,12}:(?<secret>[\w-]{30,})`),
  whole(
    "the address of a webhook",
    String.raw`\bhttps://(?:hooks\.slack\.com/(?:services|workflows)/|[\w.-]{1,100}\.webhook\.office\.com/webhookb2/|(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/)(?<secret>[\w@/-]{10,})`,
  ),
  // 05 02, and the length of the first entry.
  whole("a keytab", String.raw`\bBQIAAA[A-Za-z0-9+/]{20,}={0,2}`),
  // PKCS #12, #8 and #1, SEC 1: the first bytes say what follows.
  whole(
    "a private key in base64",
    String.raw`\b(?:MII[A-Za-z0-9+/]{2}[AQgw]IBA(?:zC|DAN|AKC)|MIGHAgEAMB|MHcCAQEE|MC4CAQAwBQYDK2V)[A-Za-z0-9+/]{20,}(?:\r?\n[ \t]{0,40}[A-Za-z0-9+/]{40,}){0,400}(?:\r?\n[ \t]{0,40}[A-Za-z0-9+/]+(?=={0,2}(?![^\s"'])))?={0,2}`,
  ),
  whole("the hash of a password", String.raw`\$(?:1|2[abxy]|5|6|7|y|apr1)\$[./A-Za-z0-9$=,]{20,}`),
];

/** Addresses and headers. */
const addresses: readonly CredentialForm[] = [
  whole("a bearer token", String.raw`\bBearer\s+(?<secret>[\w.~+/-]{16,}=*)`, "i"),
  begun(
    "a header with a credential",
    String.raw`\b(?:Proxy-)?Authorization\\{0,4}["']?\s*[:=,]\s*\\{0,4}["']?(?:Basic|Bearer|Token|ApiKey|Splunk|Digest|SharedKey\w{0,20}|GenieKey|Negotiate)\s+${value}`,
  ),
  begun(
    "a cookie",
    String.raw`\b(?:Set-)?Cookie\\{0,4}["']?\s{0,5}:\s{0,5}\\{0,4}["']?[\w.-]{1,100}=${value}`,
  ),
  whole(
    "the signature of a SAS URL",
    String.raw`(?:^|[?&;\s"']|\\u00(?:26|3f)|%26|%3F)sig(?:=|%3D)(?<secret>[\w%+/=-]{10,})`,
    "i",
  ),
  whole(
    "a key of an Azure function",
    String.raw`\.azurewebsites\.net/[^\s"'?]{0,300}\?(?:[^\s"'?]{0,300}&)?code=(?<secret>[\w%=+/-]{20,})`,
    "i",
  ),
  whole(
    "a user with a password in a URL",
    String.raw`\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"'$<%{(]{0,200}:(?![$<%{(])(?<secret>[^\s/@"']{1,500})(?=@)`,
    "i",
  ),
  whole(
    "a user with a password in a URL",
    String.raw`(?:\bjdbc:oracle:\w{1,10}:|\b(?:sqlplus|rman|expdp|impdp)\s+(?:-\S+\s+){0,5}["']?)[^\s/@:"'$<%{(]{1,100}\/(?![$<%{(])(?<secret>[^\s@"']{1,200})(?=@)`,
    "i",
  ),
  // As an address stands in a parameter of another one, also encoded twice.
  whole(
    "a user with a password in a URL",
    String.raw`%(?:25)?3A(?:/|%(?:25)?2F){2}(?:(?!%(?:25)?(?:2F|3A|40))[^\s/:@"'$<{(]){0,200}(?::|%(?:25)?3A)(?<secret>(?:(?!%(?:25)?2F)[^\s/@&"']){1,500})(?=@|%(?:25)?40)`,
    "i",
  ),
  whole("a token in a URL", String.raw`\b[a-z][a-z0-9+.-]{0,20}:\/\/(?<secret>[\w-]{20,})(?=@)`, "i"),
];

/** Programs that take a password as an argument or from a pipe. */
const commands: readonly CredentialForm[] = [
  begun(
    "a password of net use",
    String.raw`\bnet1?(?:\.exe)?\s+use\s+(?:\S+\s+)?["']?\\\\\S+\s+(?:/user:\S+\s+)?(?![&|;>])${value}`,
  ),
  begun(
    "a password of net user",
    String.raw`\bnet1?(?:\.exe)?\s+user\s+(?:"[^"\n]{1,100}"|[^\s"]{1,100})\s+(?![&|;>])${value}`,
  ),
  begun(
    "a password of a login",
    String.raw`\b(?:docker|podman|nerdctl|oras|crane|skopeo|buildah|oc|cf|az|az\s+acr|(?:helm|oras)\s+registry)(?:\.exe)?\s+login\b[^\n]{0,500}?\s(?:-p|--password)(?:\s+|=)?${value}`,
  ),
  begun(
    "a password of a login",
    String.raw`(?:\b(?:echo|printf|Write-Output|Write-Host)(?:\.exe)?\s+(?:-\w+\s+|["']%s(?:\\n)?["']\s+)?|\bset\s+/p\s*=\s*)${value}(?=[^\n|]{0,300}\|[^\n]{0,600}?(?:${readers}))`,
  ),
  begun(
    "a password of a login",
    String.raw`(?:^|[\s;&({])["'](?<secret>[^\s"'$])(?=[^"'\n]{0,200}["']\s*\|[^\n]{0,300}?(?:${readers}))`,
  ),
  begun("a password of a login", String.raw`(?:${readers})[^\n]{0,200}?<<<\s*${value}`),
  begun("a password of a login", String.raw`\b(?:vault|cargo)(?:\.exe)?\s+login\s+(?:-\S+\s+){0,5}${value}`),
  begun(
    "a user with a password",
    String.raw`\b(?:curl|wget|ctr|crictl|skopeo|podman|buildah|nerdctl)(?:\.exe)?[^\n]{0,500}?\s(?:-u|-U|--user|--proxy-user|--creds|--src-creds|--dest-creds)(?:\s+|=)["']?[^\s:$%"'<(/]{1,200}:${value}`,
  ),
  begun(
    "a user with a password",
    String.raw`${option("smbclient|rpcclient|smbget", "-U|--user")}(?:\s+|=)["']?[^\s%"'$]{1,200}%${value}`,
  ),
  begun("a password", String.raw`${option("schtasks|at", "[-/]rp")}(?:\s+|[:=]\s*)${value}`),
  begun(
    "a password",
    String.raw`${option("certutil|certreq|psexec(?:64)?|winrs|signtool|sshpass|[xw]freerdp|rdesktop|mongo(?:sh|dump|restore|export|import)?|twine|pvk2pfx|vmrun|wmic|useradd|usermod|openconnect", "[-/]p|-po|-pi")}(?:\s+|[:=]\s*)${value}`,
  ),
  begun(
    "a password",
    String.raw`${option("sshpass|7z[arz]?|rar|mysql\\w{0,10}|mariadb[\\w-]{0,10}", "-p|-hp")}${value}`,
    "",
  ),
  begun(
    "a password",
    String.raw`${option("sqlcmd|bcp|osql|isql|ipmitool|zip|unzip|zipcloak", "-P")}\s*${value}`,
    "",
  ),
  begun(
    "a password",
    String.raw`${option("ldap(?:search|modify|add|delete|whoami|passwd|compare)", "-w|-s")}\s+${value}`,
    "",
  ),
  begun("a password", String.raw`${option("redis-cli|redis-benchmark", "-a")}\s+${value}`, ""),
  begun(
    "a password",
    String.raw`\bhtpasswd\b[^\n]{0,100}?\s-\w{0,6}b\w{0,6}\s+(?:\S+\s+)?(?<secret>[^\s$%])`,
  ),
  begun("a password", String.raw`\b(?:storepass|keypass|srcstorepass|deststorepass)\s+${value}`),
  begun("a password", String.raw`[\s"']pass:(?![$%<])(?<secret>[^\s"'])`),
  begun("a bearer token", String.raw`--oauth2-bearer(?:\s+|=)${value}`),
  begun("a secret", String.raw`\bkeyvault\s+secret\s+set\b[^\n]{0,500}?\s--value(?:\s+|=)${value}`),
  begun(
    "a secret",
    String.raw`\bcreate\s+secret\b[^\n]{0,500}?\s--from-literal(?:\s+|=)["']?[^\s=]{1,200}=${value}`,
  ),
  begun(
    "a secret",
    String.raw`\bpulumi\s+config\s+set\b[^\n]{0,200}?--secret\b(?:\s+--\S+)*\s+[^\s-]\S{0,200}\s+${value}`,
  ),
  begun("a secret", String.raw`\b(?:user-secrets\s+set\s+\S+|setapikey)\s+${value}`),
  begun(
    "a password",
    String.raw`\bConvertTo-SecureString\b(?:\s+-(?:AsPlainText|Force|String)\b)*\s+${value}`,
  ),
  begun("a password", String.raw`\bNetworkCredential\(\s*["'][^"'\n]{0,200}["']\s*,\s*${value}`),
  begun("a password", String.raw`\bwpa_passphrase\s+\S{1,100}\s+${value}`),
  begun("a password", String.raw`\b(?:login|user)\s+\S{1,100}\s+password\s+${value}`),
  begun("a password", String.raw`\bIDENTIFIED\s+(?:WITH\s+\S+\s+)?BY\s+(?:PASSWORD\s+)?${value}`),
  begun("a password", String.raw`\b(?:USER|ROLE|LOGIN)\b[^\n]{0,100}?\bPASSWORD\s+["'](?<secret>[^\s"'$])`),
];

/** A name, and the value that it gets. */
const assigned = (name: string, sign: string): string =>
  String.raw`(?:${name})\\{0,4}["']?\]?[^\S\n]*${sign}[^\S\n]*${value}`;

/** Assignments in scripts, configuration files and manifests. */
const assignments: readonly CredentialForm[] = [
  begun(
    "registry credentials of Docker",
    String.raw`"auths"[^]{0,2000}?"(?:auth|password|identitytoken)"\s*:\s*"(?<secret>[^"$<{(])`,
  ),
  // Of containerd, whose name says too little: the user and the password in base64.
  whole(
    "registry credentials",
    String.raw`\bauth["']?\s{0,5}[:=]\s{0,5}["'](?=[^"']{0,500}[A-Z])(?=[^"']{0,500}[a-z])(?=[^"']{0,500}\d)(?<secret>[A-Za-z0-9+/]{12,500}={0,2})(?=["'])`,
  ),
  begun("a password", assigned(longNames, "(?::=|[:=]>?)")),
  begun(
    "a password",
    String.raw`\b(?:password|passphrase|kennwort) (?:is|was|ist) ["']?(?=[^\s"']*\d)${value}`,
  ),
  begun("a password", String.raw`\b(?:password|passphrase|kennwort) (?=\\{0,4}["'][^\s"']{0,100}\d)${value}`),
  begun(
    "a password",
    String.raw`["']-p\\{0,4}["'],\s{0,200}(?=\\{0,4}["'](?=[^"']{0,100}[A-Za-z])(?=[^"']{0,100}\d)[^"':/.=]{8,100}["'\\])${value}`,
  ),
  // Of ODBC, in braces; a name in braces is a place for a value.
  whole(
    "a password",
    String.raw`\b(?:password|pwd)\s*=\s*\{(?=[^{}\s]{0,100}\d)(?<secret>[^{}\s$]{6,200})(?=\}(?:;|["'\s]|$))`,
    "i",
  ),
  begun("a password", assigned(shortNames, "=")),
  // In a mapping, not in a sentence.
  begun(
    "a password",
    String.raw`(?<=(?:^|\n)\s{0,40}(?:-\s)?|["'{,._$:/\\-])${assigned("(?:pass|pw|pat|creds?)", ":")}`,
  ),
  // Names that programs join to others: DbPass, adminPw.
  begun("a password", String.raw`[a-z](?:Pass|Pw|Pwd|Secret)["']?[^\S\n]*=[^\S\n]*${value}`, ""),
  begun(
    "a password",
    String.raw`\b[A-Z0-9_]{0,60}(?:SECRET|CREDENTIALS?)=["']?(?=[^\s"']{0,60}\d)(?!${noValue})(?<secret>[^\s"',;])(?=[^\s"']{7})`,
    "",
  ),
  begun(
    "a password",
    String.raw`${names}["']?[^\S\n]*:[^\S\n]*[|>][+-]?\d?[^\S\n]*\n\s+(?<secret>[^\s$<%{(])`,
  ),
  begun(
    "a password",
    String.raw`\b(?:setx(?:\.exe)?\s+(?:/m\s+|/[sup]\s+\S+\s+){0,3}|SetEnvironmentVariable\(\s*)["']?\w{0,60}?${names}\w{0,60}["']?(?:\s*,)?\s*${value}`,
  ),
  begun("a password", String.raw`(?:^|\s)(?:--?|/)[\w-]{0,40}?${names}(?:[^\S\n]+|:)${value}`),
  begun("a password", String.raw`(?:^|\s)--?certificate-key(?:[^\S\n]+|=)${value}`),
  begun("a password", String.raw`(?:secret_access_key|_authToken|_password)[^\S\n]+${value}`),
  begun(
    "a password",
    String.raw`<(?:\w{1,30}:)?\w{0,40}?(?:${longNames}|keyMaterial)(?:\s[^<>\n]{0,100})?>\s*(?:<Value>\s*)?(?<secret>[^\s<$%{(])`,
  ),
  begun(
    "a password",
    String.raw`\b(?:key|name)=["'][^"'\n]{0,60}${names}["']\s+value=["'](?<secret>[^"'\s$%{(])`,
  ),
  begun(
    "a password",
    String.raw`["']?\bname["']?\s*[:=]\s*["']?[\w.-]{0,60}?${names}["']?\s*[,\n]?\s*["']?\bvalue["']?\s*[:=][^\S\n]*${value}`,
  ),
  begun(
    "a password",
    String.raw`[-/](?:v|Name)\s+["']?\w{0,60}?${names}["']?\s[^\n]{0,200}?[-/](?:d|Value)\s+${value}`,
  ),
  begun(
    "a password",
    String.raw`[-/](?:d|Value)\s+${value}(?=[^\n]{0,200}?\s[-/](?:v|Name)\s+["']?\w{0,60}?${names}\b)`,
  ),
];

/** A private key in PEM, of PuTTY or of a kubeconfig: with its content, because scripts look for the first line. */
export const privateKey =
  /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[rn]|[\w-]+: [^\n]*\n)*[A-Za-z0-9+/]{8}|PuTTY-User-Key-File-\d+: \S|client-key-data:\s*["']?[A-Za-z0-9+/]{16}/;

/** In the order in which a finding names them. */
export const credentialForms: readonly CredentialForm[] = [
  ...tokens,
  ...addresses,
  ...commands,
  ...assignments,
];
