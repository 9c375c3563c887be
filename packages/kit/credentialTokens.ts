/** Credentials whose own text says what they are. */

export interface CredentialForm {
  /** With an article. */
  readonly what: string;
  readonly pattern: RegExp;
  /** Whether the pattern has matched the whole credential, and not its first character. */
  readonly isWhole: boolean;
  /** What a text has anyway that has such a credential: for patterns that take long. */
  readonly needs?: RegExp;
}

/** A form whose pattern matches the whole credential. */
export const whole = (what: string, pattern: string, flags = ""): CredentialForm => ({
  what,
  pattern: new RegExp(pattern, `g${flags}`),
  isWhole: true,
});

/** A form whose pattern ends with the first character of the value. */
export const begun = (what: string, pattern: string, flags = "i"): CredentialForm => ({
  what,
  pattern: new RegExp(pattern, `g${flags}`),
  isWhole: false,
});

const uuid = String.raw`[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}`;

const newer = [
  String.raw`A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){3,5}\b`,
  String.raw`AGE-PLUGIN-[A-Z0-9]{1,20}-1[A-Z0-9]{20,}`,
  String.raw`ATATT3[\w=-]{40,}`,
  String.raw`(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[\w+/=-]{30,120}`,
  String.raw`[01]\.A[\w-]{50,}(?:\.\d)?\.Ag[\w-]{50,}`,
  String.raw`dnkey-[\w=-]{26}-[\w=-]{52}`,
  String.raw`sl\.(?:u\.)?[\w=-]{130,}`,
  String.raw`\d{15,16}(?:\||%7C)[\w-]{27}(?![\w-])`,
  String.raw`GOOG1[A-Z0-9]{50,}`,
  String.raw`(?:live|test)_[0-9a-f]{35}\b`,
  String.raw`live_(?=(?:[a-z_-]{0,20}\d){4})[\w=-]{40}(?![\w=-])`,
  String.raw`eyJrIjoi[\w+/]{70,}={0,2}`,
  String.raw`(?:pat-(?:na|eu|ap)\d|sdk|mob|sk-lf|access-(?:sandbox|development|production))-${uuid}`,
  String.raw`api_org_[A-Za-z]{34}`,
  String.raw`[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b(?!-)`,
  String.raw`[0-9a-z]{36}NRAL`,
  String.raw`ntn_\d{11}[A-Za-z0-9]{35}`,
  String.raw`secret_[A-Za-z0-9]{43}\b`,
  String.raw`pnu_[A-Za-z0-9]{36}`,
  String.raw`sm_(?:pat|sat|aat)_[A-Za-z0-9]{16}`,
  String.raw`[rs]k_prod_\w{10,}`,
  String.raw`whsec_[A-Za-z0-9+/]{32,}={0,2}`,
  String.raw`A{21,22}[A-Za-z0-9]{20,80}%[23][BDF][\w%]{20,}`,
  String.raw`t1\.[\w-]{40,}={0,2}\.[\w-]{86}={0,2}`,
  String.raw`AQVN[\w-]{35,38}\b`,
  String.raw`YC(?=(?:\D{0,15}\d){3})[\w-]{38}\b`,
  String.raw`gsk_[A-Za-z0-9]{52}`,
  String.raw`r8_[A-Za-z0-9]{37}`,
  String.raw`lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}`,
  String.raw`rootly_[0-9a-f]{64}`,
  String.raw`unkey_[A-Za-z0-9]{20,}`,
  String.raw`VF\.(?:DM\.|WS\.)?[0-9a-f]{24}\.[A-Za-z0-9]{16}`,
  String.raw`re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b`,
  String.raw`bk(?:ua|at|ct|aj)_[0-9a-f]{40}`,
  String.raw`access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[0-9a-f]{32}`,
  String.raw`endr\+[\w-]{16}`,
  String.raw`S[AUONXC][A-Z2-7]{56}\b`,
];

/** Tokens whose own text says what they are, by the prefixes that their services document. */
export const tokens: readonly CredentialForm[] = [
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
  // By the prefixes that gitleaks and trufflehog list.
  whole(
    "an access token of a service",
    String.raw`\b(?:PMAK-[0-9a-f]{24}-[0-9a-f]{34}|dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}|sntry[su]_[\w+/=]{40,}|ATBB\w{28,}|CCI(?:PAT|PRJ)_\w{20,}|API-[A-Z0-9]{26}\b|AKCp\w{69}|cmVmdG\w{58}|sq[apu]_[0-9a-f]{40}|sb[ps]_[0-9a-f]{40}|pscale_(?:tkn|oauth|pw)_[\w=.-]{32,}|fm[12][ar]?_[\w+/=,]{80,}|sq0[a-z]{3}-[\w-]{22,}|EAA[A-Za-z][A-Za-z0-9]{60,}|shippo_(?:live|test)_[0-9a-f]{40}|LTAI[A-Za-z0-9]{16,20}\b|AKID[A-Za-z0-9]{32}\b|ops_eyJ[\w+/=]{100,}|s\.(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}\b|token-[a-z0-9]{5}:[a-z0-9]{54}|K10[0-9a-f]{64}::\w{1,20}:\w{16,}|xkeysib-[0-9a-f]{64}-\w{16}|GR1348941[\w-]{20}|SK[0-9a-f]{32}\b|key-[0-9a-f]{32}\b|[0-9a-f]{32}-us\d{1,2}\b|[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}|1\/\/0[\w-]{40,}|NR(?:II|IQ|JS)-[\w-]{19,32}|[0-9a-f]{36}NRAL|p8e-[A-Za-z0-9]{32}|pat\w{14}\.[0-9a-f]{64}|ABSK[A-Za-z0-9+/]{100,}|v1\.0-[0-9a-f]{24}-[0-9a-f]{146}|duffel_(?:test|live)_[\w=-]{43}|FLW(?:SEC|PUB)K(?:_TEST)?-[\w-]{12,}|fio-u-[\w=-]{64}|[ps]at\.[\w-]{22}\.\w{24}\.\w{20}|s-s4t2(?:ud|af)-[0-9a-f]{64}|\w{6}_\w{29}_mmk|rdme_[a-z0-9]{70}|tk-us-[\w-]{48}|sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}|glc?oas-[0-9a-f]{64}|ghs_\w{36,}|CLOJARS_[a-z0-9]{60}|EZ[AT]K[a-z0-9]{54}|4b1d[A-Za-z0-9]{38}\b|cio[A-Za-z0-9]{32}\b|lin_api_[A-Za-z0-9]{40}|A3-[A-Z0-9]{6}-[A-Z0-9]{5}-[A-Z0-9]{5})`,
  ),
  // Newer ones, and those that are told by more than a prefix.
  whole("an access token of a service", String.raw`\b(?:${newer.join("|")})`),
  whole("an access token of OpenShift", String.raw`\bsha256~[\w-]{43}`),
  // A short word, and letters of both cases with digits among them; a digest is none.
  whole(
    "an access token of a service",
    String.raw`\b(?!sha\d)[A-Za-z][A-Za-z0-9]{1,11}(?:[_-](?:live|test|api|org|pat|tok|[a-z]at)){0,2}[_-](?=[A-Za-z0-9]{0,40}[a-z])(?=[A-Za-z0-9]{0,40}[A-Z])(?=(?:[A-Za-z]{0,20}\d){3})(?=[A-Za-z]{0,20}\d{1,4}[A-Za-z]{1,20}\d{1,4}[A-Za-z])(?<secret>[A-Za-z0-9]{24,})={0,2}(?![\w-])`,
  ),
  whole("a recovery password", String.raw`\b(?:\d{6}-){7}\d{6}\b`),
  whole("a token of a bot", String.raw`\b\d{8,12}:(?<secret>AA[\w-]{33})`),
  whole("a token of a push service", String.raw`\b[\w-]{11}:(?<secret>APA91b[\w-]{100,})`),
  whole("a token of a bot", String.raw`/bot\d{6,12}:(?<secret>[\w-]{30,})`),
  whole(
    "the address of a webhook",
    String.raw`\bhttps://(?:hooks\.slack\.com/(?:services|workflows)/|[\w.-]{1,100}\.webhook\.office\.com/webhookb2/|(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/|hooks\.zapier\.com/hooks/catch/|hook\.(?:\w{1,10}\.)?(?:make|integromat)\.com/)(?<secret>[\w@/-]{10,})`,
  ),
  // JSON Web Keys and the form of .NET.
  whole(
    "a private key",
    String.raw`"(?:d|k|p|q|dp|dq|qi)"\s{0,5}:\s{0,5}"(?<secret>[^"\s]{6,})(?<="kty"[^{}]{0,4000})`,
  ),
  whole(
    "a private key",
    String.raw`"(?:d|k|p|q|dp|dq|qi)"\s{0,5}:\s{0,5}"(?<secret>[^"\s]{6,})(?=[^{}]{0,4000}"kty")`,
  ),
  whole("a private key", String.raw`<(?:D|P|Q|DP|DQ|InverseQ)>\s{0,5}(?<secret>[A-Za-z0-9+/]{20,}={0,2})`),
  whole("a key store of Java", String.raw`(?<![\w+/])/u3\+7QAAAA[A-Za-z0-9+/]{20,}={0,2}`),
  whole(
    "a private key",
    String.raw`\b(?:minisign|rsign) encrypted secret key\s{1,5}(?<secret>[A-Za-z0-9+/]{40,}={0,2})`,
  ),
  // 05 02, and the length of the first entry.
  whole("a keytab", String.raw`\bBQIAAA[A-Za-z0-9+/]{20,}={0,2}`),
  // PKCS #12, #8 and #1, SEC 1: the first bytes say what follows.
  whole(
    "a private key in base64",
    String.raw`\b(?:MII[A-Za-z0-9+/]{2}[AQgw]IBA(?:zC|DAN|AKC)|MIGHAgEAMB|MHcCAQEE|MC4CAQAwBQYDK2V)[A-Za-z0-9+/]{20,}(?:\r?\n[ \t]{0,40}[A-Za-z0-9+/]{40,}){0,400}(?:\r?\n[ \t]{0,40}[A-Za-z0-9+/]+(?=={0,2}(?![^\s"'])))?={0,2}`,
  ),
  whole(
    "the hash of a password",
    String.raw`\{S?(?:SHA|MD5)(?:256|512)?\}(?<secret>[A-Za-z0-9+/]{20,}={0,2})`,
    "i",
  ),
  whole("the hash of a password", String.raw`:(?<secret>[0-9a-f]{32}:[0-9a-f]{32}):::`, "i"),
  whole("the hash of a password", String.raw`\$(?:1|2[abxy]|5|6|7|y|apr1)\$[./A-Za-z0-9$=,]{20,}`),
];

/** A private key in PEM, of PuTTY or of a kubeconfig: with its content, because scripts look for the first line. */
export const privateKey =
  /-{4,5} ?BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?:(?:\s|\\{1,4}[rn]|[\w-]+: [^\n]*\n)*[A-Za-z0-9+/]{8}|(?:[\s"'+>#;,|*]|\\{1,4}[rn]|[\w.-]{1,60}\s+echo\s){1,40}[A-Za-z0-9+/]{40})|BEGIN OpenVPN Static key V\d-{5}(?:\s|\\{1,4}[rn]){1,5}[\da-f]{32}|PuTTY-User-Key-File-\d+: \S|client-key-data:\s*["']?[A-Za-z0-9+/]{16}/;
