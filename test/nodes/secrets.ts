/** Lines as the logs of nodes have them, each with a secret, and what the collectors make of it. V stands for a secret. */
export const withSecrets: readonly (readonly [line: string, hidden: string])[] = [
  // Settings and headers.
  ["password: V", "password: REDACTED"],
  ["    - dbPassword: correct horse battery", "    - dbPassword: REDACTED"],
  ["passwd=V kept", "passwd=REDACTED kept"],
  ["AZURE_CLIENT_SECRET=V", "AZURE_CLIENT_SECRET=REDACTED"],
  ["client-key-data: V", "client-key-data: REDACTED"],
  ["client-certificate-data: V", "client-certificate-data: REDACTED"],
  ["I1128 auth.go:1] token=V kept", "I1128 auth.go:1] token=REDACTED kept"],
  ["x-api-key: V", "x-api-key: REDACTED"],
  ["> X-Functions-Key: V", "> X-Functions-Key: REDACTED"],
  ["x-vendor-signing-key: V", "x-vendor-signing-key: REDACTED"],
  ["Ocp-Apim-Subscription-Key: V", "Ocp-Apim-Subscription-Key: REDACTED"],
  ["apikey=V", "apikey=REDACTED"],
  ["env API_KEY=V kept", "env API_KEY=REDACTED kept"],
  ["apiKey := V", "apiKey := REDACTED"],
  ["a: api-key => V, b: kept", "a: api-key => REDACTED, b: kept"],
  ["aws_secret_access_key = V", "aws_secret_access_key = REDACTED"],
  [
    "primaryKey=V storageKey=V private_key=V kept",
    "primaryKey=REDACTED storageKey=REDACTED private_key=REDACTED kept",
  ],
  ["log: passphrase: correct horse battery", "log: passphrase: REDACTED"],
  ["PASS_PHRASE=correct horse battery", "PASS_PHRASE=REDACTED"],
  ["the pass phrase = correct horse", "the pass phrase = REDACTED"],
  ["Cookie: a=V; b=V", "Cookie: REDACTED"],
  ["< Set-Cookie: session=V; Path=/", "< Set-Cookie: REDACTED"],
  // In quotes, to their end.
  ['"aadClientSecret": "V", "tenantId": "kept"', '"aadClientSecret": "REDACTED", "tenantId": "kept"'],
  ['{"apiKey": "V, with \\"quotes\\"", "other": "kept"}', '{"apiKey": "REDACTED", "other": "kept"}'],
  ["secret='V and more' kept", "secret='REDACTED' kept"],
  [
    'msg="{\\"token\\":\\"V\\",\\"user\\":\\"kept\\"}"',
    'msg="{\\"token\\":\\"REDACTED\\",\\"user\\":\\"kept\\"}"',
  ],
  ['{"auths": {"r.example": {"auth": "V"}}}', '{"auths": {"r.example": {"auth": "REDACTED"}}}'],
  ['log "{\\"auth\\": \\"V\\"}" kept', 'log "{\\"auth\\": \\"REDACTED\\"}" kept'],
  ['export PASSPHRASE="V and more" kept', 'export PASSPHRASE="REDACTED" kept'],
  // Command lines.
  [
    "az login --service-principal --password V --tenant kept",
    "az login --service-principal --password REDACTED --tenant kept",
  ],
  ["run --client-secret 'V and more' kept", "run --client-secret 'REDACTED' kept"],
  ['run -ApiKey "V and more" kept', 'run -ApiKey "REDACTED" kept'],
  ["run --token --kept", "run --token --kept"],
  ["curl -s -u user:V https://kept", "curl -s -u user:REDACTED https://kept"],
  [
    `kubeadm join --token abcdef.0123456789abcdef --certificate-key ${"ab".repeat(32)} kept`,
    "kubeadm join --token REDACTED --certificate-key REDACTED kept",
  ],
  [`Using certificate-key="${"0f".repeat(32)}" kept`, 'Using certificate-key="REDACTED" kept'],
  // Headers with a scheme.
  ["Authorization: Bearer V, kept", "Authorization: Bearer REDACTED, kept"],
  ['"authorization": "Basic V", "kept": 1', '"authorization": "Basic REDACTED", "kept": 1'],
  ["authorization: SharedKey account:V==", "authorization: SharedKey REDACTED"],
  ["-H 'Authorization: V' kept", "-H 'Authorization: REDACTED' kept"],
  ["authorization: V", "authorization: REDACTED"],
  ["sent Bearer 0123456789abcdef0 kept", "sent Bearer REDACTED kept"],
  // URLs.
  [
    "GET https://x.blob.core.windows.net/y?sv=1&sig=V%2B%3D&se=2",
    "GET https://x.blob.core.windows.net/y?sv=1&sig=REDACTED&se=2",
  ],
  ["https://x.blob.core.windows.net/y?sig=V", "https://x.blob.core.windows.net/y?sig=REDACTED"],
  ["to=%2Fy%3Fsig%3DV%252B%26se%3Dkept", "to=%2Fy%3Fsig%3DREDACTED%26se%3Dkept"],
  ["https_proxy=http://user:V@proxy.example:3128", "https_proxy=http://user:REDACTED@proxy.example:3128"],
  ["http://user:V@V@proxy.example:3128/ kept", "http://user:REDACTED@proxy.example:3128/ kept"],
  ["http://proxy.example:3128/kept", "http://proxy.example:3128/kept"],
  // Connection strings.
  ["AccountName=x;AccountKey=V;EndpointSuffix=kept", "AccountName=x;AccountKey=REDACTED;EndpointSuffix=kept"],
  ["Endpoint=sb://x/;SharedAccessKey=V", "Endpoint=sb://x/;SharedAccessKey=REDACTED"],
  ["Server=kept;Password=V;Encrypt=True", "Server=kept;Password=REDACTED;Encrypt=True"],
  ["Uid=kept;Pwd=V;Encrypt=True", "Uid=kept;Pwd=REDACTED;Encrypt=True"],
  // By their form alone.
  ["found 9zy8x7.0123456789abcdef kept", "found 9zy8x7.REDACTED kept"],
  ["found abcdef.0123456789abcdef kept", "found abcdef.REDACTED kept"],
  ["System.TimeoutException kept", "System.TimeoutException kept"],
  ["eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln kept", "REDACTED-TOKEN kept"],
  ["eyJhbGciOiJSUzI1NiJ9 kept", "REDACTED-TOKEN kept"],
  [`key ${"Ab1/".repeat(21)}Zz== kept`, "key REDACTED kept"],
  // Commands of Windows and of registries, and what scripts write.
  ["docker login -u kept -p V r.example", "docker login -u kept -p REDACTED r.example"],
  ["docker.exe login -pV r.example", "docker.exe login -pREDACTED r.example"],
  ["docker run -p 80:80 kept", "docker run -p 80:80 kept"],
  ["az acr login -n kept -p 'V and more' kept", "az acr login -n kept -p REDACTED kept"],
  ["echo V | docker login -u kept --password-stdin", "echo REDACTED | docker login -u kept --password-stdin"],
  ['net user "kept" V /add', 'net user "kept" REDACTED /add'],
  ["net.exe user kept /add", "net.exe user kept /add"],
  ["net use Z: \\\\kept\\share V /user:kept", "net use Z: \\\\kept\\share REDACTED /user:kept"],
  ["net use \\\\kept\\share /user:kept V", "net use \\\\kept\\share /user:kept REDACTED"],
  ["cmdkey /add:kept /user:kept /pass:V", "cmdkey /add:kept /user:kept /pass:REDACTED"],
  ["netdom join kept /userd:kept /passwordd:V", "netdom join kept /userd:kept /passwordd:REDACTED"],
  ["psexec \\\\kept -u kept -p V cmd", "psexec \\\\kept -u kept -p REDACTED cmd"],
  ["schtasks /create /ru kept /rp V", "schtasks /create /ru kept /rp REDACTED"],
  ["sqlcmd -U kept -P V -p kept", "sqlcmd -U kept -P REDACTED -p kept"],
  ["mysql -ukept -pV", "mysql -ukept -pREDACTED"],
  ["curl -x kept --proxy-user kept:V kept", "curl -x kept --proxy-user kept:REDACTED kept"],
  ["setx /m DB_PASS V", "setx /m DB_PASS REDACTED"],
  ["$env:DB_PWD = 'V'; PWD=kept", "$env:DB_PWD = 'REDACTED'; PWD=kept"],
  [
    "ConvertTo-SecureString -AsPlainText 'V and more' -Force",
    "ConvertTo-SecureString -AsPlainText REDACTED -Force",
  ],
  ["ConvertTo-SecureString V -AsPlainText", "ConvertTo-SecureString REDACTED -AsPlainText"],
  ["ConvertTo-SecureString $kept -AsPlainText", "ConvertTo-SecureString $kept -AsPlainText"],
  ["New-Object NetworkCredential('kept', 'V')", "New-Object NetworkCredential('kept', REDACTED)"],
  ["Kennwort: V", "Kennwort: REDACTED"],
  ["failed with user 'kept' password 'V'", "failed with user 'kept' password 'REDACTED'"],
  ["<Password>V</Password> kept", "<Password>REDACTED</Password> kept"],
  ["<value>V</value><PlainText>kept", "<value>REDACTED</value><PlainText>kept"],
  ['<add key="ApiKey" value="V" />', '<add key="ApiKey" value="REDACTED" />'],
  ['{"name":"DB_PASSWORD","value":"V"} kept', '{"name":"DB_PASSWORD","value":"REDACTED"} kept'],
  ["https://gho_abcdefghijklmnop0123@kept", "https://REDACTED-TOKEN@kept"],
  ["https://abcdefghijklmnopqrstuvwxyz@kept", "https://REDACTED@kept"],
  [
    "https://kept.azurewebsites.net/a?code=abcdefghijklmnopqrstuvwxyz&b=kept",
    "https://kept.azurewebsites.net/a?code=REDACTED&b=kept",
  ],
  [`SharedAccess ${"Ab1/".repeat(10)}Zzz= kept`, "SharedAccess REDACTED kept"],
  // Keys, in one line and over several.
  ["a -----BEGIN EC PRIVATE KEY-----\\nV\\n-----END EC PRIVATE KEY----- kept", "a REDACTED-KEY kept"],
  ['"-----BEGIN PRIVATE KEY-----\\nV" kept', '"REDACTED-KEY" kept'],
  ["a -----BEGIN OPENSSH PRIVATE KEY-----\nV\nb: V\n-----END OPENSSH PRIVATE KEY-----", "a REDACTED-KEY"],
  ["-----BEGIN PGP PRIVATE KEY BLOCK-----\nV\n-----END PGP PRIVATE KEY BLOCK-----", "REDACTED-KEY"],
  // Not ASCII, and a line that has nothing to hide.
  ["grüße token=Vü kept", "grüße token=REDACTED kept"],
  ["all well", "all well"],
];

const secret = "hunter2";
const filled = (text: string): string => text.replace(/(?<![A-Z])V(?![A-Z])/g, secret);

/** A log with all of them, and what is left of it. */
export const log = withSecrets.map(([line]) => filled(line));
export const hiddenLog = withSecrets.map(([, hidden]) => hidden);

/** No text that a collector saves may have one of these. */
export const anySecret = /hunter2|abcdefghijklmnop|0123456789abcdef|abababab|0f0f0f0f|eyJhbGci|Ab1\/Ab1/;

/** A private key that begins before the lines that are kept. */
export const longKey = `-----BEGIN PRIVATE KEY-----\n${`${secret}\n`.repeat(20_100)}-----END PRIVATE KEY-----\nafter the key\n`;
