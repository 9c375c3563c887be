/** A secret of each kind, as the logs of nodes have them. */
export const plantedWith = (secret: string): string[] => [
  `password: ${secret}`,
  `passwd=${secret}`,
  `"aadClientSecret": "${secret}"`,
  `AZURE_CLIENT_SECRET=${secret}`,
  `client-key-data: ${secret}`,
  `token=${secret}`,
  `https_proxy=http://user:${secret}@proxy.example:3128`,
  `GET https://x.blob.core.windows.net/y?sv=1&sig=${secret}&se=2`,
  `Authorization: Bearer ${secret}`,
  `"authorization": "Basic ${secret}"`,
  `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${secret};EndpointSuffix=core.windows.net`,
  `SharedAccessKey=${secret}`,
  `{"auths": {"r.example": {"auth": "${secret}"}}}`,
  `az login --service-principal --password ${secret} --tenant t`,
  `-----BEGIN EC PRIVATE KEY-----\n${secret}\n-----END EC PRIVATE KEY-----`,
];
