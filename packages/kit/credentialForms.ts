import { begun, type CredentialForm, tokens, whole } from "./credentialTokens";

/**
 * The forms in which credentials stand in commands, scripts, manifests and addresses. Each pattern ends with the group `secret`:
 * the whole credential, or the first character of its value. Repetitions have limits, so that the time for a text grows with its
 * length only.
 */

/**
 * What is no value that is written there: one from a variable, a file or another command, a pattern, a path, or a switch. A key in
 * base64 may begin like a path.
 */
const noValue = String.raw`[-$<%({["'|>=\\]|\*(?![^\s"'*/\\]{6})|@(?![^\s"']{0,60}\d[^\s"'/\\]{0,60}["'])|\/(?![A-Za-z0-9+/]{40,85}={1,2}(?![^\s"',;]))|[a-z]:[\\/]|(?:true|false|null|none|nil|yes|no|auto)\b|(?:get|read|new|import|convert\w*|invoke|join)-`;

/** The beginning of a value, in quotes or without. */
const value = String.raw`\\{0,4}(?:@(?=["']))?["']{0,3}(?!${noValue})(?<secret>[^\s"',;])`;

/** Keys whose value is a credential, and the ends of such keys. NOPASSWD of sudo has none. */
const longNames = String.raw`(?<!\bno)passw(?:or)?(?:dd?|t)|passphrase|passcode|kennwort|mot[-_ ]?de[-_ ]?passe|contrase[nñ]a|pwd|bind_?pw|root_?pw|token|psk|_auth|auth_?tok|auth_?ident|sshpass|(?:api|access|account|subscription|shared|auth|license|licence|storage|primary|secondary|master|admin|private|signing|functions?|host)[-_ ]?key|(?:client|app|application|consumer|shared|webhook|signing|jwt|session|api|oauth)[-_ ]?secret|secret[-_]?(?:access[-_]?)?key(?:[-_]?base)?|dd_app_key|vault[-_]?secret[-_]?id`;

/** Short ones, which would also be parts of other words. */
const shortNames = String.raw`(?<![a-z])(?:pass|pw|pat|creds?)(?![a-z])`;

const names = `(?:${longNames}|${shortNames})`;

/** The ends of names that say too little alone: their value has to look like a key in hexadecimal or base64, not like a name. */
const weakNames = String.raw`(?<!(?:pub(?:lic)?|cache|gpg|pgp|cosign|trusted|sort|partition)[-_ ]?)key|(?<!checksum\/)secret(?:[-_]?string)?|credentials?|auth|(?:ro|rw|snmp)[-_]?community`;
/** How public keys and certificates begin in base64: long enough that no key begins so by chance, in any case of its letters. */
const publicKey =
  "MFkwEwYHKoZI|MHYwEAYHKoZI|MCowBQYDK2V|MIIBIjANBgkq|MIICIjANBgkq|MIGfMA0GCSqG|MII[A-K][\\w+/]{2}CC[AB]|AAAA[BC]3NzaC|AAAAE2VjZHNh|AAAA(?:Gn|In)Nr";
const strongValue = String.raw`["']?(?!${publicKey}|/[a-z]{2,30}/)(?<secret>(?=[^\s"',;]{0,60}\d)(?:[0-9a-f]{32,512}|(?=[^\s"',;]{0,200}[A-Z])(?=[^\s"',;]{0,200}[a-z])(?=(?:[^\s"',;\d]{0,60}\d){2})(?:[\w+]{16,512}={0,2}|[\w+/]{20,512}={1,2}|[\w+/-]{40,512}={0,2})))(?![^\s"',;<>)}\]])`;

/** An option of one of these programs that takes a password. */
const option = (programs: string, options: string): string =>
  String.raw`\b(?:${programs})(?:\.exe)?\b[^\n]{0,500}?\s(?:${options})`;

/** What reads a password from its standard input. */
const readers = String.raw`--password-stdin|--passphrase-fd|--with-token|--stdin\b|\bsudo\s[^\n]{0,40}-S\b|\bchpasswd\b|\bkinit\b|\brunas\b|\bsmbpasswd\b|\bcryptsetup\b|\bsecret\s+create\b|\bsshpass\b|ConvertTo-SecureString`;

/** Addresses and headers. */
const addresses: readonly CredentialForm[] = [
  whole("a bearer token", String.raw`\bBearer\s+(?<secret>[\w.~+/-]{16,}=*)`, "i"),
  begun(
    "a header with a credential",
    String.raw`\b(?:Proxy-)?Authorization\\{0,4}["']?\s*(?:[:=,]\s*|\s)\\{0,4}["']?(?:Basic|Bearer|Token|ApiKey|SSWS|Splunk|Digest|SharedKey\w{0,20}|GenieKey|Negotiate)\s+${value}`,
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
    String.raw`\b[a-z][a-z0-9+.-]{0,20}:\/\/(?:[^\s/:@"'$<%{(]|%[\da-f]{2}){0,200}:(?![$<%{(])(?<secret>[^\s/@"']{1,500})(?=@)`,
    "i",
  ),
  whole(
    "a user with a password in a URL",
    String.raw`(?:\bjdbc:oracle:\w{1,10}:|\b(?:sqlplus|rman|expdp|impdp|connect)\s+(?:-\S+\s+){0,5}["']?)[^\s/@:"'$<%{(]{1,100}\/(?![$<%{(])(?<secret>[^\s@"']{1,200})(?=@)`,
    "i",
  ),
  // As an address stands in a parameter of another one, also encoded twice.
  whole(
    "a user with a password in a URL",
    String.raw`%(?:25)?3A(?:/|%(?:25)?2F){2}(?:(?!%(?:25)?(?:2F|3A|40))[^\s/:@"'$<{(]){0,200}(?::|%(?:25)?3A)(?<secret>(?:(?!%(?:25)?2F)[^\s/@&"']){1,500})(?=@|%(?:25)?40)`,
    "i",
  ),
  begun("a secret", String.raw`\botpauth://[^\s"']{0,300}[?&]secret=${value}`),
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
    String.raw`\b(?:curl|wget|ctr|crictl|skopeo|podman|buildah|nerdctl|etcdctl)(?:\.exe)?[^\n]{0,500}?\s(?:-u|-U|--user|--proxy-user|--creds|--src-creds|--dest-creds)(?:\s+|=)["']?[^\s:$%"'<(/]{1,200}:${value}`,
  ),
  begun(
    "a user with a password",
    String.raw`${option("smbclient|rpcclient|smbget", "-U|--user")}(?:\s+|=)["']?[^\s%"'$]{1,200}%${value}`,
  ),
  begun("a password", String.raw`${option("schtasks|at", "[-/]rp")}(?:\s+|[:=]\s*)${value}`),
  begun(
    "a password",
    String.raw`${option("certutil|certreq|psexec(?:64)?|winrs|signtool|sshpass|[xw]freerdp|rdesktop|mongo(?:sh|dump|restore|export|import)?|twine|pvk2pfx|vmrun|wmic|useradd|usermod|openconnect|racadm", "[-/]p|-po|-pi")}(?:\s+|[:=]\s*)${value}`,
  ),
  begun(
    "a password",
    // A number is a port.
    String.raw`${option("winrm", "[-/]p")}(?:\s+|[:=]\s*)(?!\d{1,5}(?:[\s"']|$))${value}`,
  ),
  begun(
    "a password",
    String.raw`${option("sshpass|7z[arz]?|rar|mysql\\w{0,10}|mariadb[\\w-]{0,10}", "-p|-hp")}${value}`,
    "",
  ),
  begun(
    "a password",
    String.raw`${option("sqlcmd|bcp|osql|isql|ipmitool|zip|unzip|zipcloak|mosquitto_\\w{3}", "-P")}\s*${value}`,
    "",
  ),
  begun(
    "a password",
    String.raw`${option("ldap(?:search|modify|add|delete|whoami|passwd|compare)", "-w|-s")}\s+${value}`,
    "",
  ),
  begun(
    "a password",
    String.raw`${option("redis-cli|redis-benchmark|snmp\\w{2,12}", "-a|-A|-X")}\s+${value}`,
    "",
  ),
  begun("a password", String.raw`${option("snmp\\w{2,12}", "-c")}\s+${value}`, ""),
  begun("a password", String.raw`\bopenssl\s+enc\b[^\n]{0,300}?\s-k\s+${value}`),
  begun("a password", String.raw`${option("kadmin(?:\\.local)?|kinit", "-w")}\s+${value}`, ""),
  begun("a key", String.raw`\bnuget\s+push\b[^\n]{0,300}?\s-k\s+${value}`),
  begun("a password", String.raw`\blftp\b[^\n]{0,200}?\s-u\s+[^\s,]{1,100},${value}`),
  // A user and a password, of any program: no port, and no address.
  begun(
    "a password",
    String.raw`\s(?:-u|-U|-{1,2}user(?:name)?|/u|/ud)(?:\s+|[=:])["']?(?!\d+[:\s])[^\s"':-][^\s"':]{0,100}["']?\s+(?:-p|-P|/p|/pd)(?:\s+|[=:])?(?=\S{0,60}\d)(?!\d{1,5}(?:[:/\s"']|$)|\d{1,3}(?:\.\d{1,3}){3}(?:[:/\s"']|$))${value}`,
    "",
  ),
  begun("a password", String.raw`\]:\d{2,5}\s+[\w.@-]{1,100}:(?!o(?:n|ff)(?:[\s"']|$))${value}`),
  begun("a password", String.raw`/(?:pd|po):${value}`),
  begun("a user with a password", String.raw`\s--?auth(?:\s+|=)["']?[\w.@-]{1,100}:${value}`),
  begun("a user with a password", String.raw`\b(?:stats\s+auth\s+|login=)[^\s:/"']{1,100}:${value}`),
  begun(
    "a password",
    String.raw`\b(?:(?:rabbitmqctl\s+(?:add_user|change_password)\s+\S+|mosquitto_passwd\s+-b\s+\S+\s+\S+|autologon(?:64)?(?:\.exe)?\s+\S+\s+\S+|nssm(?:\.exe)?\s+set\s+\S+\s+ObjectName\s+\S+|iscsicli\s+chapsecret|vault\s+operator\s+unseal|snyk\s+auth|kubeadm\s+token\s+create|reset-admin-password|insecure-password|requirepass|masterauth|enable\s+(?:secret|password)\s+\d|password\s+\d|key\s+7)\s+|sp_(?:addlogin|password)\s+\S+\s*,\s*|set\s+password\s+for\s+\S+\s*=\s*|password\s+\d\d:b:)${value}`,
  ),
  begun(
    "a community of SNMP",
    String.raw`\b(?:r[ow]community6?|com2sec6?\s+(?:-Cn\s+\S+\s+)?\S+\s+\S+|snmp-server\s+community|ValidCommunities["']?\s+(?:/v|-Name))\s+${value}`,
  ),
  begun("a password", String.raw`\bcreateUser\b[^\n]{0,200}?\s(?:AES|DES)\S{0,4}\s+${value}`),
  begun("a user with a password", String.raw`\b(?:GetBytes|btoa)\(\s*["'][^"'\n:$]{1,100}:${value}`),
  begun("a password", String.raw`\bcreateUser\s+\S+\s+(?:MD5|SHA\S{0,4})\s+${value}`),
  begun("a key", String.raw`(?:^|\s)PSK\s+["'](?<secret>[^\s"'$])`),
  begun("a password", String.raw`\buser\s+\S+\s+on\s+>(?<secret>[^\s$])`),
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
  begun("a password", String.raw`\bConvertTo-SecureString\b[^\n|]{0,200}?\s-String\s+${value}`),
  begun(
    "a password",
    String.raw`\b(?:NetworkCredential|X509Certificate2?)\]?(?:::new)?(?:\(|\s)\s*["'][^"'\n]{0,200}["']\s*,\s*${value}`,
  ),
  begun("a password", String.raw`\bSetPassword\(\s*${value}`),
  begun("a password", String.raw`(?<!\$)\bEnv:\\?\w{0,60}?${names}\w{0,20}["']?\s+(?:-Value\s+)?${value}`),
  begun("a password", String.raw`\bItemProperty\s+\S{1,200}\s+["']?\w{0,60}?${names}["']?\s+${value}`),
  begun("a password", String.raw`\bwpa_passphrase\s+\S{1,100}\s+${value}`),
  begun("a password", String.raw`\b(?:login|user|machine|account)\s+\S{1,100}\s+password\s+${value}`),
  begun("a password", String.raw`\bIDENTIFIED\s+(?:WITH\s+\S+\s+)?BY\s+(?:PASSWORD\s+)?${value}`),
  begun("a password", String.raw`\b(?:USER|ROLE|LOGIN)\b[^\n]{0,100}?\bPASSWORD\s+["'](?<secret>[^\s"'$])`),
];

const secretKind = String.raw`kind:[ \t]{0,4}["']?Secret\b`;

/** A name, and the value that it gets. */
const assigned = (name: string, sign: string): string =>
  String.raw`(?:${name})(?:[_-]?\d{1,3})?\\{0,4}["']?\]?[^\S\n]*${sign}[^\S\n]*${value}`;

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
  begun("a password", assigned(longNames, "(?:[:?+]{0,3}=>?|:>?)")),
  whole(
    "a secret",
    String.raw`(?:${weakNames})(?:[_-]?\d{1,3})?\\{0,4}["']?\]?\s{0,3}(?::=|[:=]>?)[^\S\n]{0,5}\\{0,4}${strongValue}`,
    "i",
  ),
  // A cache's key is a name, but that of Azure Cache for Redis, of 32 bytes.
  whole(
    "a key",
    String.raw`cache[-_ ]?key["']?\s{0,3}[:=]\s{0,3}["']?(?<secret>[A-Za-z0-9+/]{43}=)(?![\w+/=])`,
    "i",
  ),
  // A comparison, a call, a declaration, a list: the value in quotes, with a digit.
  begun(
    "a password",
    String.raw`${names}["']?\)?\s{0,3}(?:[=!]==?|-c?(?:eq|ne))\s{0,3}["'](?=[^"'\n]{0,100}\d)(?!${noValue})(?<secret>[^\s"'])`,
  ),
  begun(
    "a password",
    String.raw`["'](?<secret>[^\s"'$<%{(-])(?=[^"'\n]{0,200}\d[^"'\n]{0,200}["']\s{0,3}[=!]==?\s{0,3}[\w.$]{0,60}?(?:${longNames})\b)`,
  ),
  begun(
    "a password",
    String.raw`\(\s{0,5}["'][\w.$-]{0,60}?${names}["']\s{0,5},\s{0,5}["'](?=[^"'\n]{0,200}\d)(?!${noValue})(?<secret>[^\s"'])`,
  ),
  begun(
    "a password",
    String.raw`(?<!<[\w:-]{0,40})${names}\s{0,3}:?\s{1,3}\w{2,20}\s{0,3}=\s{0,3}["'](?!${noValue})(?<secret>[^\s"'])`,
  ),
  begun(
    "a password",
    String.raw`${names}["']?\s{0,3}[:=]\s{0,3}\[\s{0,3}["'](?=[^"'\n]{0,100}\d)(?!${noValue})(?<secret>[^\s"'])`,
  ),
  begun(
    "a password",
    String.raw`["'][\w.-]{0,60}?${names}["']\s{0,3}\{[^{}]{0,200}?\bdefault\s{0,3}=\s{0,3}${value}`,
  ),
  // A line with a name and its value, as many programs are configured.
  begun(
    "a password",
    String.raw`(?<=(?:^|\n)[^\S\n]{0,40})(?!(?:pwd|passwd)\s)[\w.-]{0,40}(?:${longNames})[^\S\n]{1,20}(?=\S{6})(?=\S{0,60}\d)${value}(?=\S{0,300}[^\S\n]{0,20}(?:\r?\n|$))`,
  ),
  // The values of a Secret, whose kind stands before or behind them.
  {
    ...begun(
      "a value of a Secret",
      String.raw`\n[ \t]{1,20}["']?[\w.-]{1,253}["']?:[ \t]{1,4}(?<=\n(?<indent>[ \t]{0,8})(?:stringData|data):[ \t]{0,8}\n(?:[ \t][^\n]{0,2000}\n){0,300}[ \t]{1,20}["']?[\w.-]{1,253}["']?:[ \t]{1,4})(?:(?<=(?:^|\n)\k<indent>${secretKind}[^]{0,3000})|(?=[^]{0,3000}\n\k<indent>${secretKind}))${value}`,
      "",
    ),
    needs: new RegExp(secretKind),
  },
  // .pgpass: host, port, database, user.
  begun(
    "a password",
    String.raw`(?<=^|\n)[^\s:]{1,200}:(?:\d{2,5}|\*):[^\s:]{1,100}:[^\s:]{1,100}:(?<secret>[^\s:/])(?=[^\s:]{3,200}(?:\r?\n|$))`,
  ),
  begun(
    "a password",
    String.raw`\n\s{1,20}(?:-\s)?["']?[\w.-]{1,40}:(?<=\bchpasswd:[^]{0,300})(?!\s)${value}`,
  ),
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
    String.raw`<(?:\w{1,30}:)?\w{0,40}?(?:${longNames}|keyMaterial)(?:\s[^<>\n]{0,100})?>\s*(?:<Value>\s*|<!\[CDATA\[)?(?<secret>[^\s<$%{(])`,
  ),
  begun(
    "a password",
    String.raw`\b(?:key|name)=["'][^"'\n]{0,60}(?:${names}|secret)["']\s+value=["'](?<secret>[^"'\s$%{(])`,
  ),
  begun(
    "a password",
    String.raw`\bvalue=["'](?<secret>[^"'\s$%{(])(?=[^"'\n]{0,300}["']\s{1,20}(?:key|name)=["'][^"'\n]{0,60}${names}["'])`,
  ),
  begun("a password", String.raw`<Pass(?:\s[^<>\n]{0,100})?>(?<secret>[^\s<$%{(])`, ""),
  // A parameter of Azure Resource Manager.
  begun(
    "a password",
    String.raw`(?:${longNames})["']?\s{0,3}[:=]\s{0,3}\{\s{0,60}["']?value["']?\s{0,3}[:=]\s{0,3}${value}`,
  ),
  // Of Terraform and shells, on the lines below.
  begun(
    "a password",
    String.raw`(?:${longNames})\s{0,3}=\s{0,3}<<[-~]?["']?\w{1,40}["']?[^\S\n]{0,10}\n\s{0,40}(?<secret>[^\s$<%{(])`,
  ),
  begun("a password", String.raw`assword[^\n]{0,60}\n\s{0,40}send\s+(?:--\s+)?${value}`),
  begun("a cookie", String.raw`\b_gitlab_session=(?<secret>[\da-f])(?=[\da-f]{31})`),
  begun(
    "a password",
    String.raw`\bBUNDLE_(?:ENTERPRISE|GEMS)__CONTRIBSYS__COM["']?\s{0,3}[:=]\s{0,3}${value}`,
  ),
  begun("a key", String.raw`\bAPP_KEY=["']?(?<secret>b)(?=ase64:[A-Za-z0-9+/]{20})`),
  whole("a key", String.raw`\bsecret\s{1,5}"(?<secret>[A-Za-z0-9+/]{16,200}={1,2})(?=")`),
  whole("a key", String.raw`\bhmac-[\w-]{2,10}:[\w.-]{1,200}:(?<secret>[A-Za-z0-9+/]{16,200}={0,2})`),
  whole(
    "the words of a wallet",
    String.raw`\b(?:mnemonic|seed[-_ ]?phrase)["']?\s{0,3}[:=]\s{0,3}["']?(?<secret>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})`,
    "i",
  ),
  begun("a password", String.raw`<key>[^<>\n]{0,60}${names}</key>\s{0,200}<string>(?<secret>[^<>\s$%{(])`),
  begun("a password", String.raw`<auth-user-pass>\s{0,5}\S{1,100}\s{1,5}(?<secret>[^\s<])`),
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

/** Most texts of a cluster have no such name, and are not searched for the third of all forms that need one. */
const anyName = new RegExp(`${names}|secret|keyMaterial`, "i");

const withNeeds = (form: CredentialForm): CredentialForm =>
  form.pattern.source.includes(longNames) || form.pattern.source.includes(shortNames)
    ? { needs: anyName, ...form }
    : form;

/** In the order in which a finding names them. */
export const credentialForms: readonly CredentialForm[] = [
  ...tokens,
  ...addresses,
  ...commands,
  ...assignments,
].map(withNeeds);
