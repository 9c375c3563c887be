import { exampleAuthority, exampleServer } from "../support/certificates";
import { dockershim } from "./flavorCases";
import type { Case } from "./ruleCases";

const url = "http://proxy.example.com:3128";
const mirror = { url: "https://mirror.example.com" };

export const egressCases: readonly Case[] = [
  [
    "a proxy for Docker",
    { ...dockershim, proxy: { url } },
    "proxy: the nodes of the flavor dockershim run Docker, for which the program has no such setting",
    { proxy: { url } },
  ],
  [
    "a mirror for Docker",
    { ...dockershim, registryMirror: mirror },
    "registryMirror: the nodes of the flavor dockershim run Docker, for which the program has no such setting",
    { registryMirror: mirror },
  ],
  [
    "a certificate for Docker",
    { ...dockershim, trustedCertificates: [exampleAuthority] },
    "trustedCertificates: the nodes of the flavor dockershim run Docker, for which the program has no such setting",
    { trustedCertificates: [exampleAuthority] },
  ],
  [
    "a text that is no certificate",
    { trustedCertificates: ["hello"] },
    "trustedCertificates[0]: not a certificate in PEM",
    { trustedCertificates: [exampleAuthority] },
  ],
  [
    "a certificate of a server",
    { trustedCertificates: [exampleServer] },
    "trustedCertificates[0]: the certificate of a server, not of a certificate authority: it stops working when the server renews it",
    { trustedCertificates: [exampleAuthority.trim()] },
  ],
  [
    "two certificates in one text",
    { trustedCertificates: [`${exampleAuthority}${exampleServer}`] },
    "trustedCertificates[0]: 2 certificates in one text; nodes read only the first of a file",
    { trustedCertificates: [exampleAuthority.replaceAll("\n", "\r\n")] },
  ],
  [
    "a certificate twice",
    { trustedCertificates: [exampleAuthority, `${exampleAuthority}\n`] },
    "trustedCertificates[1]: the same as trustedCertificates[0]",
    { trustedCertificates: [exampleAuthority] },
  ],
  [
    "a private key",
    { trustedCertificates: [`-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n`] },
    "trustedCertificates[0]: this contains a PRIVATE KEY, which is not shown here; replace the key if it was ever committed",
    { trustedCertificates: [exampleAuthority] },
  ],
];
