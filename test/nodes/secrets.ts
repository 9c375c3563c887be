import fc from "fast-check";
import { formsInLogs } from "capz-windows-test-kit/credentialForms";

/** Lines as the logs of nodes have them, each with a secret, and what the collectors make of it. V stands for a secret. */
export const withSecrets: readonly (readonly [line: string, hidden: string])[] = [
  // Settings and headers.
  ["password: V", "password: REDACTED"],
  ["    - dbPassword: correct horse battery", "    - dbPassword: REDACTED"],
  ["passwd=V kept", "passwd=REDACTED"],
  ["AZURE_CLIENT_SECRET=V", "AZURE_CLIENT_SECRET=REDACTED"],
  ["client-key-data: V", "client-key-data: REDACTED"],
  ["client-certificate-data: V", "client-certificate-data: REDACTED"],
  ["I1128 auth.go:1] token=V kept", "I1128 auth.go:1] token=REDACTED"],
  ["x-api-key: V", "x-api-key: REDACTED"],
  ["> X-Functions-Key: V", "> X-Functions-Key: REDACTED"],
  ["x-vendor-signing-key: V", "x-vendor-signing-key: REDACTED"],
  ["Ocp-Apim-Subscription-Key: V", "Ocp-Apim-Subscription-Key: REDACTED"],
  ["apikey=V", "apikey=REDACTED"],
  ["env API_KEY=V kept", "env API_KEY=REDACTED"],
  ["apiKey := V", "apiKey := REDACTED"],
  ["a: api-key => V, b: kept", "a: api-key => REDACTED"],
  ["aws_secret_access_key = V", "aws_secret_access_key = REDACTED"],
  ["primaryKey=V storageKey=V private_key=V kept", "primaryKey=REDACTED"],
  ["log: passphrase: correct horse battery", "log: passphrase: REDACTED"],
  ["PASS_PHRASE=correct horse battery", "PASS_PHRASE=REDACTED"],
  ["the pass phrase = correct horse", "the pass phrase = REDACTED"],
  ["Cookie: a=V; b=V", "Cookie: REDACTED"],
  ["< Set-Cookie: session=V; Path=/", "< Set-Cookie: REDACTED"],
  // In quotes, to their end.
  ['"aadClientSecret": "V", "tenantId": "kept"', '"aadClientSecret": "REDACTED", "tenantId": "kept"'],
  ['{"apiKey": "V, with \\"quotes\\"", "other": "kept"}', '{"apiKey": "REDACTED", "other": "kept"}'],
  ["secret='V and more' kept", "secret='REDACTED' kept"],
  ['msg="{\\"token\\":\\"V\\",\\"user\\":\\"kept\\"}"', 'msg="{\\"token\\":REDACTED'],
  ['{"auths": {"r.example": {"auth": "V"}}}', '{"auths": {"r.example": {"auth": REDACTED'],
  ['log "{\\"auth\\": \\"V\\"}" kept', 'log "{\\"auth\\": REDACTED'],
  ['export PASSPHRASE="V and more" kept', "export PASSPHRASE=REDACTED"],
  // Command lines.
  ["az login --service-principal --password V --tenant kept", "az login REDACTED"],
  ["run --client-secret 'V and more' kept", "run --client-secret REDACTED"],
  ['run -ApiKey "V and more" kept', "run -ApiKey REDACTED"],
  ["run --token --kept", "run --token REDACTED"],
  ["curl -s -u user:V https://kept", "curl -s -u user:REDACTED"],
  [
    `kubeadm join --token abcdef.0123456789abcdef --certificate-key ${"ab".repeat(32)} kept`,
    "kubeadm join --token REDACTED",
  ],
  [`Using certificate-key="${"0f".repeat(32)}" kept`, 'Using certificate-key="REDACTED" kept'],
  // Headers with a scheme.
  ["Authorization: Bearer V, kept", "Authorization: REDACTED"],
  ['"authorization": "Basic V", "kept": 1', '"authorization": REDACTED'],
  ["authorization: SharedKey account:V==", "authorization: REDACTED"],
  ["-H 'Authorization: V' kept", "-H 'Authorization: REDACTED"],
  ["authorization: V", "authorization: REDACTED"],
  ["sent Bearer 0123456789abcdef0 kept", "sent Bearer REDACTED"],
  // URLs.
  [
    "GET https://x.blob.core.windows.net/y?sv=1&sig=V%2B%3D&se=2",
    "GET https://x.blob.core.windows.net/y?REDACTED",
  ],
  ["https://x.blob.core.windows.net/y?sig=V", "https://x.blob.core.windows.net/y?REDACTED"],
  ["to=%2Fy%3Fsig%3DV%252B%26se%3Dkept", "to=%2Fy%3FREDACTED"],
  ["https_proxy=http://user:V@proxy.example:3128", "https_proxy=http://REDACTED@proxy.example:3128"],
  ["http://user:V@V@proxy.example:3128/ kept", "http://REDACTED@proxy.example:3128/ kept"],
  ["http://proxy.example:3128/kept", "http://proxy.example:3128/kept"],
  // Connection strings.
  ["AccountName=x;AccountKey=V;EndpointSuffix=kept", "AccountName=x;AccountKey=REDACTED"],
  ["Endpoint=sb://x/;SharedAccessKey=V", "Endpoint=sb://x/;SharedAccessKey=REDACTED"],
  ["Server=kept;Password=V;Encrypt=True", "Server=kept;Password=REDACTED"],
  ["Uid=kept;Pwd=V;Encrypt=True", "Uid=kept;Pwd=REDACTED"],
  // By their form alone.
  ["found 9zy8x7.0123456789abcdef kept", "found 9zy8x7.REDACTED kept"],
  ["found abcdef.0123456789abcdef kept", "found abcdef.REDACTED kept"],
  ["System.TimeoutException kept", "System.TimeoutException kept"],
  ["eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln kept", "REDACTED kept"],
  ["eyJhbGciOiJSUzI1NiJ9 kept", "REDACTED kept"],
  [`key ${"Ab1/".repeat(21)}Zz== kept`, "key REDACTED kept"],
  // Commands of Windows and of registries, and what scripts write.
  ["docker login -u kept -p V r.example", "docker login REDACTED"],
  ["docker.exe login -pV r.example", "docker.exe login REDACTED"],
  ["docker run -p 80:80 kept", "docker run -p 80:80 kept"],
  ["az acr login -n kept -p 'V and more' kept", "az acr login REDACTED"],
  ["echo V | docker login -u kept --password-stdin", "REDACTED"],
  ['net user "kept" V /add', "net user REDACTED"],
  ["net.exe user kept /add", "net.exe user REDACTED"],
  ["net use Z: \\\\kept\\share V /user:kept", "net use REDACTED"],
  ["net use \\\\kept\\share /user:kept V", "net use REDACTED"],
  ["cmdkey /add:kept /user:kept /pass:V", "cmdkey REDACTED"],
  ["netdom join kept /userd:kept /passwordd:V", "netdom REDACTED"],
  ["psexec \\\\kept -u kept -p V cmd", "psexec REDACTED"],
  ["schtasks /create /ru kept /rp V", "schtasks REDACTED"],
  ["sqlcmd -U kept -P V -p kept", "sqlcmd REDACTED"],
  ["mysql -ukept -pV", "mysql REDACTED"],
  ["curl -x kept --proxy-user kept:V kept", "curl -x kept --proxy-user kept:REDACTED"],
  ["setx /m DB_PASS V", "setx REDACTED"],
  ["$env:DB_PWD = 'V'; PWD=kept", "$env:DB_PWD = REDACTED"],
  ["ConvertTo-SecureString -AsPlainText 'V and more' -Force", "ConvertTo-SecureString REDACTED"],
  ["ConvertTo-SecureString V -AsPlainText", "ConvertTo-SecureString REDACTED"],
  ["ConvertTo-SecureString $kept -AsPlainText", "ConvertTo-SecureString REDACTED"],
  ["New-Object NetworkCredential('kept', 'V')", "New-Object NetworkCredential REDACTED"],
  ["Kennwort: V", "Kennwort: REDACTED"],
  ["failed with user 'kept' password 'V'", "failed with user 'kept' password REDACTED"],
  ["<Password>V</Password> kept", "<Password>REDACTED"],
  ["<value>V</value><PlainText>kept", "<value>REDACTED</value><PlainText>kept"],
  ['<add key="ApiKey" value="V" />', '<add key="ApiKey" valueREDACTED'],
  ['{"name":"DB_PASSWORD","value":"V"} kept', '{"name":"DB_PASSWORD"REDACTED'],
  ["https://gho_abcdefghijklmnop0123@kept", "https://REDACTED@kept"],
  ["https://abcdefghijklmnopqrstuvwxyz@kept", "https://REDACTED@kept"],
  [
    "https://kept.azurewebsites.net/a?code=abcdefghijklmnopqrstuvwxyz&b=kept",
    "https://kept.azurewebsites.net/a?REDACTED",
  ],
  [`SharedAccess ${"Ab1/".repeat(10)}Zzz= kept`, "SharedAccess REDACTED kept"],
  // Without a sign, with the value in the next line, and whatever follows the name of a program or an option.
  ["cmdkey /generic:kept /user:kept /pass V", "cmdkey REDACTED"],
  ["the password for bob was V", "the password REDACTED"],
  ["token is V", "token REDACTED"],
  ["secret 1V", "secret REDACTED"],
  ["PWD=V", "PWD=REDACTED"],
  ["Enter password:\nV\nkept", "Enter password:REDACTED\nkept"],
  ["- name: DB_PASSWORD\n  value: V", "- name: DB_PASSWORDREDACTED"],
  ["https://kept/api?a=b&code=V", "https://kept/api?REDACTED"],
  ["curl -ukept:V https://kept", "curl -ukept:REDACTED"],
  ["https://kept:V/V@kept", "https://kept:REDACTED@kept"],
  ['{"value":"V","name":"DB_TOKEN"}', '{"value":"REDACTED","name":"DB_TOKEN"}'],
  ['[System.Net.NetworkCredential]::new("kept", "V")', "[System.Net.NetworkCredential REDACTED"],
  ["AzCopy /SourceKey:V", "AzCopy /SourceKey:REDACTED"],
  ["instrumentationkey=V; a=b", "instrumentationkey=REDACTED"],
  ['Authorization = ["Basic V"]', "Authorization = REDACTED"],
  ["https://kept.webhook.office.com/webhookb2/V/kept/V", "https://kept.webhook.office.com/REDACTED"],
  ['{"commandToExecute":"kept V","kept":1}', '{"commandToExecute":"REDACTED","kept":1}'],
  ["X-Amz-Signature=V", "X-Amz-Signature=REDACTED"],
  // A key without another name, and what takes the place of a password for SNMP.
  ["key=V kept", "key=REDACTED kept"],
  ["a KEY = V, kept", "a KEY = REDACTED kept"],
  ["key='Sup3rV' kept", "key='REDACTED' kept"],
  ["snmp-server community V RO", "snmp-server REDACTED"],
  ["snmpwalk -v2c -c V 10.0.0.1", "snmpwalk REDACTED"],
  ["rocommunity V", "rocommunity REDACTED"],
  ['{"community":"V","kept":1}', '{"community":"REDACTED","kept":1}'],
  ["    validcommunities\n    V    REG_DWORD    0x4\nkept", "    validcommunities\nREDACTED\nkept"],
  // Lists of arguments.
  ['args ["app","--db-password","V"]', 'args ["app","--db-password"REDACTED'],
  ['["app", "--api-key", "V"]', '["app", "--api-key", "REDACTED'],
  ["args [--api-key V]", "args [--api-key REDACTED"],
  ["args [--db-pass V]", "args [--db-pass REDACTED"],
  ['["-p","V"] kept', '["-p","REDACTED"] kept'],
  ['["redis-cli","-a","V"]', '["redis-cli",REDACTED'],
  // Product keys, tokens and files, whose own text says what they are.
  ["slmgr.vbs /ipk abcde-FGHIJ-kLmNo-PqRsT-uWwXy", "slmgr.vbs REDACTED"],
  ["the key abcde-FGHIJ-kLmNo-PqRsT-uWwXy kept", "the key REDACTED kept"],
  [`found npm_${"Ab1c".repeat(9)} kept`, "found REDACTED kept"],
  [`a PFX MIIKCQIBAzCCCcUGCSqGSIb3DQEHAaCCCbYEggmyMIIJrjCC kept`, "a PFX REDACTED kept"],
  // Keys, in one line and over several.
  ["a -----BEGIN EC PRIVATE KEY-----\\nV\\n-----END EC PRIVATE KEY----- kept", "a REDACTED-KEY kept"],
  ['"-----BEGIN PRIVATE KEY-----\\nV" kept', '"REDACTED-KEY" kept'],
  ["a -----BEGIN OPENSSH PRIVATE KEY-----\nV\nb: V\n-----END OPENSSH PRIVATE KEY-----", "a REDACTED-KEY"],
  ["-----BEGIN PGP PRIVATE KEY BLOCK-----\nV\n-----END PGP PRIVATE KEY BLOCK-----", "REDACTED-KEY"],
  // Not ASCII, and a line that has nothing to hide.
  ["grüße token=Vü kept", "grüße token=REDACTED"],
  ["all well", "all well"],
];

/** What says why a node does not work has no secret, and stays. */
export const withoutSecrets: readonly string[] = [
  'I1128 11:00:00.123456    1234 kubelet.go:2456] "SyncLoop ADD" source="api" pods=["kube-system/coredns-7d764666f9-abcde"]',
  'E1128 11:00:00.123456    1234 pod_workers.go:1324] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"app\\" with ImagePullBackOff: \\"Back-off pulling image \\\\\\"mcr.microsoft.com/windows/nanoserver:ltsc2022\\\\\\"\\"" pod="default/app-6d4b75cb6d-x2x9z" podUID="8e4f2a1b-0c1d-4e2f-9a3b-4c5d6e7f8a9b"',
  'E1128 11:00:00.1 1 nestedpendingoperations.go:348] Operation for "{volumeName:kubernetes.io/projected/8e4f2a1b-0c1d-4e2f-9a3b-4c5d6e7f8a9b-kube-api-access-x2x9z podName:8e4f nodeName:}" failed. No retries permitted until 2026-11-28 11:00:00.123456789 +0000 UTC m=+3.14',
  'E1128 11:00:00.1 1 kubelet_node_status.go:107] "Unable to register node with API server" err="Post \\"https://10.0.0.4:6443/api/v1/nodes\\": dial tcp 10.0.0.4:6443: connect: connection refused" node="capz-dev-control-plane-abcde"',
  'time="2026-11-28T11:00:00.123456789Z" level=error msg="RunPodSandbox for &PodSandboxMetadata{Name:coredns-7d764666f9-abcde,Uid:8e4f2a1b-0c1d-4e2f-9a3b-4c5d6e7f8a9b,Namespace:kube-system,Attempt:0,} failed, error" error="failed to setup network for sandbox \\"3f9c2a1b0d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061728394a5b6c7d8e\\": plugin type=\\"calico\\" failed (add): stat /var/lib/calico/nodename: no such file or directory"',
  "2026-11-28 11:00:00.123 [INFO][1234] cni-plugin/plugin.go 345: Calico CNI found existing endpoint: &{{WorkloadEndpoint projectcalico.org/v3} {capz--dev--k8s-coredns--7d764666f9--abcde-eth0}}",
  "2026-11-28 11:00:00,123 - util.py[WARNING]: Failed running /var/lib/cloud/instance/scripts/runcmd [1]",
  "To see the stack trace of this error execute with --v=5 or higher",
  '[kubelet-start] Writing kubelet configuration to file "/var/lib/kubelet/config.yaml"',
  "2026-11-28 11:00:00.000 1234 DEBUG cloudbaseinit.osutils.windows [-] Executing plugin UserDataPlugin",
  "2026-11-28T11:00:00.000000Z INFO ExtHandler ExtHandler Fetched new goal state from /subscriptions/11111111-2222-4333-8444-0a1b2c3d4e5f/resourceGroups/capz-Dev-1/providers/Microsoft.Compute/virtualMachineScaleSets/win1/virtualMachines/0",
  'Failed to pull image "registry.example.com/team/App2024@sha256:3f9c2a1b0d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061728394a5b6c7d8e": not found',
  'MountVolume.SetUp failed for volume "x" : secret "regcred" not found',
  '"Unable to retrieve pull secret, the image pull may not succeed." pod="default/web" secret="" err="secret \\"regcred\\" not found"',
  "HNS network 3F2504E0-4F89-11D3-9A0C-0305E82C3301 of Microsoft-Windows-Host-Network-Service-Admin: IPv6DualStack",
  "2026-11-28T11:00:00 7036 Information Service Control Manager: The kubelet service entered the running state.",
  "C:\\var\\log\\pods\\kube-system_kube-proxy-windows-x2x9z_8e4f2a1b-0c1d-4e2f-9a3b-4c5d6e7f8a9b\\kube-proxy\\0.log",
  "I1128 certificate_manager.go:356] kubernetes.io/kube-apiserver-client-kubelet: Rotating certificates",
  "exit code: 1; the command exited with code 137",
  "W1128 Microsoft.Network/virtualNetworks/subnets/join/action over scope '/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/RG1/providers/Microsoft.Network/virtualNetworks/vnet' or the scope is invalid",
  'I1128 controller.go:1] "Sync" key="default/web-5d4f" node="win1000000"',
  'E1128 queue.go:1] key="win1000000" key=kube-system/coredns',
  "reg query HKLM\\SYSTEM\\CurrentControlSet\\Services\\kubelet",
  "mkdir -p /etc/kubernetes/pki",
  'etcdserver: request "header:<ID:7587876543210 > txn" took too long (200ms)',
  "node.kubernetes.io/instance-type=Standard_DC16ads_cc_v5 WindowsServer-2022-datacenter-core-smalldisk-g2",
];

const secret = "hunter2";
const filled = (text: string): string => text.replace(/(?<![A-Z])V(?![A-Z])/g, secret);

/** A log with all of them, and what is left of it. */
export const log = [...withSecrets.map(([line]) => filled(line)), ...withoutSecrets];
export const hiddenLog = [...withSecrets.map(([, hidden]) => hidden), ...withoutSecrets];

/** No text that a collector saves may have one of these. */
export const anySecret =
  /hunter2|abcdefghijklmnop|0123456789abcdef|abababab|0f0f0f0f|eyJhbGci|Ab1\/Ab1|Ab1cAb1c|MIIK|FGHIJ/;

/** Forms of stack files in one line, and passwords in them. */
const anyForm = fc.constantFrom(
  ...Object.values(formsInLogs).filter((form) => form("x") !== form("y") && !/[\n]|[Bb]asic/.test(form("x"))),
);
const password = fc.stringMatching(/^[A-Za-z0-9!#$%&*+.?@^_~-]{3}[0-9][A-Za-z0-9!#$%&*+.?@^_~-]{3,20}$/);
export const credentialLine = fc.record({ form: anyForm, one: password });

/** A private key that begins before the lines that are kept. */
export const longKey = `-----BEGIN PRIVATE KEY-----\n${`${secret}\n`.repeat(20_100)}-----END PRIVATE KEY-----\nafter the key\n`;
