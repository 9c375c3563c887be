/** Keys about Trusted Launch, Pod Security, serving certificates, the encryption of Secrets and the audit log. foreignKey.ts has the format. */
export const securityKeys = `
windowsPools: secureBoot secureBootEnabled enableSecureBoot
  = windowsPool.trustedLaunch.secureBoot, secure boot of a pool with kind: MachineDeployment {switchOf}
windowsPools: vTpm vTpmEnabled enableVtpm
  = windowsPool.trustedLaunch.vTpm, the virtual TPM of a pool with kind: MachineDeployment {switchOf}
windowsPools: securityType
  = windowsPool.trustedLaunch, Trusted Launch of a pool with kind: MachineDeployment {trustedLaunchOf}
linuxPools: securityType secureBoot secureBootEnabled enableSecureBoot vTpm vTpmEnabled enableVtpm
  - no key has this name
  + trustedLaunch of a Windows pool with kind: MachineDeployment, or overrides with a patch of AzureMachinePool
pool: securityProfile confidentialVM
  - no key has this name
  + trustedLaunch (trustedLaunch.secureBoot, trustedLaunch.vTpm) of a Windows pool with kind: MachineDeployment, encryptionAtHost, or overrides with a patch of AzureMachineTemplate
controlPlane: securityProfile securityType trustedLaunch confidentialVM secureBoot secureBootEnabled enableSecureBoot vTpm vTpmEnabled enableVtpm
  - the control plane has the reference image of generation 1
  + overrides of AzureMachineTemplate, for an image of your own of generation 2; trustedLaunch.secureBoot and trustedLaunch.vTpm are keys of Windows pools
cluster controlPlane access addons: podSecurityStandard podSecurityStandards podSecurityLevel podSecurityAdmission psa pss
  = controlPlane.podSecurity, the levels of Pod Security {podSecurityOf}
cluster controlPlane access addons: podSecurityConfiguration admissionConfig admissionConfiguration admissionControlConfigFile
  - Pod Security has levels by what becomes of a pod, for namespaces without labels
  + podSecurity: {enforce: baseline} in controlPlane
podSecurity: pod-security.kubernetes.io/audit
  = controlPlane.podSecurity.audit, the level below which pods are noted
podSecurity: pod-security.kubernetes.io/warn
  = controlPlane.podSecurity.warn, the level below which users are warned
podSecurity: level pod-security.kubernetes.io/enforce
  = controlPlane.podSecurity.enforce, the level below which pods are refused
podSecurity: exemptions exempt namespaces excludedNamespaces
  = controlPlane.podSecurity.exemptNamespaces, the namespaces that no level concerns {listOf}
podSecurity: enforceVersion auditVersion warnVersion
  - the levels are those of the version that the cluster runs
  + enforce, audit and warn {nothing}
podSecurity: enabled
  - namespaces without labels have levels where the key podSecurity is
  + podSecurity: {} in controlPlane {switch}
cluster controlPlane access addons: serverTLSBootstrap serverTlsBootstrap rotateServerCertificates kubeletServingCertificates kubeletServingCerts servingCertificates kubeletCertificateAuthority kubeletCsrApprover kubeletServingCertApprover
  - kubelets of all machines get their serving certificates in the same way
  + kubeletCertificates: verified, at the top of the stack file
cluster controlPlane azure access: enableEncryptionWithExternalKms azureKeyVaultKms kms
  - keys in Key Vault are under names in the list of all keys
  + controlPlane.encryption.keyVaultKeys, such as encryption: {keys: [vault1], keyVaultKeys: {vault1: ID}}
encryption: enabled
  - Secrets are encrypted where the key encryption is
  + encryption: {keys: [key1]} in controlPlane {switch}
encryption: key keyName keyNames
  = controlPlane.encryption.keys, the names of the keys {listOf}
encryption: providers provider secretbox aescbc aesgcm
  - keys have names, which the stack file lists, and the program makes their bytes; the provider is secretbox
  + keys, such as [key1] {nothing}
audit: maxAge logMaxAge maxage retentionDays retentionInDays retention
auditLogMaxAge auditLogMaxAgeDays
  = controlPlane.audit.maxAgeDays, the days for which the audit log is kept
audit: maxBackup backups logMaxBackup maxFiles
auditLogMaxBackup auditLogMaxBackups
  = controlPlane.audit.maxBackups, the files of the audit log that are kept
audit: maxSize maxSizeMB logMaxSize
auditLogMaxSize
  = controlPlane.audit.maxSizeMiB, the size of a file of the audit log
audit: file policyPath auditPolicyFile auditPolicy
  = controlPlane.audit.policyFile, the file with the policy
audit: enabled
  - there is an audit log where the key audit is
  + audit: {} in controlPlane, for one with a built-in policy {switch}
audit: path logPath auditLogPath
  - the log is in /var/log/kubernetes/audit on each machine of the control plane
  + maxAgeDays, maxBackups and maxSizeMiB {nothing}
audit: webhook webhookConfigFile backend
  - the API server writes the log into files, from where something else takes it
  + a DaemonSet on the control plane that reads /var/log/kubernetes/audit (docs/operations.md)
`;
