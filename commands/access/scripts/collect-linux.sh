#!/usr/bin/env bash
# Collects the logs of a Linux node into one archive on standard output, without secrets. Run as root:
#   ssh NODE 'sudo bash -s' < collect-linux.sh > node-logs.tar.gz
# Never taken: azure.json, kubeconfigs, keys, user data. ROOT is another root folder, for tests.
set -uo pipefail

root="${ROOT:-}"
lines=20000
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
out="$work/logs"
mkdir -p "$out"

# Replaces whatever looks like a secret: bootstrap tokens, certificate keys, tokens of service accounts, private keys,
# passwords, keys of storage accounts, signatures of storage URLs, credentials in URLs and in headers.
redact() {
  sed -E \
    -e '/-----BEGIN [A-Z ]*PRIVATE KEY-----/,/-----END [A-Z ]*PRIVATE KEY-----/d' \
    -e 's/\b([a-z0-9]{6})\.[a-z0-9]{16}\b/\1.REDACTED/g' \
    -e 's/(certificate-key["= :]+)[0-9a-fA-F]{64}/\1REDACTED/g' \
    -e 's/eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)?/REDACTED-TOKEN/g' \
    -e 's/((password|passwd|secret|aadClientSecret|client-key-data|client-certificate-data|token)"?[=:] *"?)[^" ,;]+/\1REDACTED/gI' \
    -e 's/([?&]sig=)[^& "]+/\1REDACTED/g' \
    -e 's#(://[^/@:[:space:]]*:)[^/@[:space:]]+@#\1REDACTED@#g' \
    -e 's/(authorization"?: *"?(bearer|basic) +)[^" ,;]+/\1REDACTED/gI' \
    -e 's/((account-?key|sharedaccesskey|shared-?key|"auth")"?[=:] *"?)[^" ,;]+/\1REDACTED/gI' \
    -e 's/(--?(password|secret|client-secret) +)[^ ]+/\1REDACTED/gI'
}

# keep NAME: saves the end of standard input, redacted. It is redacted before it is cut, because the remaining text could
# begin in the middle of a key.
keep() {
  mkdir -p "$(dirname "$out/$1")"
  redact | tail -n "$lines" >"$out/$1"
}

# file PATH: saves a file of the node, if it exists.
file() {
  [ -f "$root$1" ] && keep "files$1" <"$root$1"
  return 0
}

# run NAME COMMAND...: saves the output of a command, or that it is not installed.
run() {
  local name="$1"
  shift
  if command -v "$1" >/dev/null 2>&1; then
    # The script itself may be on standard input.
    timeout 60 "$@" 2>&1 </dev/null | keep "$name"
  else
    echo "$1 is not installed" >"$out/$name"
  fi
}

file /var/log/cloud-init.log
file /var/log/cloud-init-output.log
file /var/log/waagent.log
file /etc/os-release
file /etc/resolv.conf
for path in "$root"/etc/netplan/*.yaml "$root"/var/log/calico/cni/*.log "$root"/etc/cni/net.d/*.conflist \
  "$root"/var/log/pods/kube-system_*/*/*.log "$root"/var/log/pods/calico-system_*/*/*.log \
  "$root"/var/log/pods/tigera-operator_*/*/*.log "$root"/var/lib/kubelet/kubeadm-flags.env; do
  file "${path#"$root"}"
done
run journal-kubelet.txt journalctl --no-pager --since=-24h --unit=kubelet
run journal-containerd.txt journalctl --no-pager --since=-24h --unit=containerd
run journal-kernel.txt journalctl --no-pager --since=-24h --dmesg
run crictl-ps.txt crictl ps --all
run crictl-images.txt crictl images
run crictl-pods.txt crictl pods
run disk.txt df -h
run memory.txt free -m
run network-addresses.txt ip address
run network-routes.txt ip route
run network-sockets.txt ss -tlnp
run clock.txt timedatectl
run services.txt systemctl --no-pager --failed
run processes.txt ps -eo pid,ppid,%cpu,%mem,etime,comm
tar -C "$work" -czf - logs
