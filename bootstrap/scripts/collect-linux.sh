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

# What a secret looks like, the same list as in collect-windows.ps1: i (any case) or c, an extended regular expression that sed
# and .NET read alike, and what takes its place. KEY stands for the names in the first line. A value goes to the end of its
# quotes, or to the next space, comma or semicolon; that of a line of YAML, a header or a pass phrase to the end of the line.
secrets="$(
  cat <<'SECRETS'
KEY=(pass(word[do]?|wort|wd|[-_ ]?phrase)|[-_/]pass|[-_]pwd|kennwort|secret|token|(api|access|account|shared|subscription|storage|functions|encryption|master|primary|secondary|signing|private|license|service|admin|auth|session|deploy|vault|registry)[-_]?key|x-[a-z0-9-]*key|client-(key|certificate)-data)
i (KEY\\*["']?[ \t]*[=:]+>?[ \t]*\\+["'])[^\\"']+ => \1REDACTED
i (KEY["']?[ \t]*[=:]+>?[ \t]*")([^"\\]|\\.)+ => \1REDACTED
i (KEY["']?[ \t]*[=:]+>?[ \t]*')[^']+ => \1REDACTED
i (^[ \t-]*[a-z0-9_.-]*KEY:[ \t]+)[^ \t"'{[].* => \1REDACTED
i (pass[-_ ]?phrase["']?[ \t]*[=:]+>?[ \t]*)[^ \t"',;&{[][^"',;&]* => \1REDACTED
i (KEY["']?[ \t]*[=:]+>?[ \t]*)[^ \t"',;&{[][^ \t",;&]* => \1REDACTED
i (--?[a-z-]*KEY[ \t]+")[^"]+ => \1REDACTED
i (--?[a-z-]*KEY[ \t]+')[^']+ => \1REDACTED
i (--?[a-z-]*KEY[ \t]+)[^ \t"'-][^ \t"']* => \1REDACTED
i (certificate-key["'=: \t]+)[0-9a-f]{64} => \1REDACTED
c \b([a-z0-9]{6})\.[a-z0-9]{16}\b => \1.REDACTED
c eyJ[A-Za-z0-9_+/=-]{8,}(\.[A-Za-z0-9_=-]*)* => REDACTED-TOKEN
i (authorization\\*["']?[ \t]*[=:]+[ \t]*\\*["']?[a-z]+[ \t]+)[^ \t"',;\\]+ => \1REDACTED
i (authorization\\*["']?[ \t]*[=:]+[ \t]*\\*["']?)[^ \t"',;\\]+(["'\\]|$) => \1REDACTED\2
i (\bbearer[ \t]+)[a-z0-9._~+/=-]{16,} => \1REDACTED
i (\\*"auth\\*"[ \t]*:[ \t]*\\*")[^"\\]+ => \1REDACTED
i ((set-)?cookie\\*["']?[ \t]*:[ \t]*)[^"']+ => \1REDACTED
i ((^|[?&;" \t]|amp;)sig=)[^& \t"']+ => \1REDACTED
i ((%26|%3F)sig%3D)([A-Za-z0-9+/=-]|%25[0-9A-F]{2}|%2[BF]|%3D)+ => \1REDACTED
i (://[^/@: \t"']*:)[^/ \t"']+@ => \1REDACTED@
i ([;?&"]pwd=)[^ \t"';&]+ => \1REDACTED
i (curl.* (-u|--(proxy-)?user)[ =]["']?[^: \t"']+:)[^ \t"']+ => \1REDACTED
c [A-Za-z0-9+/]{86}== => REDACTED
i (\bsetx(\.exe)? +(/m +)?["']?[a-z0-9_]*KEY["']? +)("[^"]+"|'[^']+'|[^ \t"']+) => \1REDACTED
i (\b(docker|podman|nerdctl|helm|oras|az)(\.exe)? +([a-z]+ +)?login( .*)? -p[ =]*)("[^"]+"|'[^']+'|[^ \t"']+) => \1REDACTED
i (\bnet1?(\.exe)? +user +("[^"]+"|[^ \t"]+) +)("[^"]+"|[^ \t/&|;>"][^ \t"]*) => \1REDACTED
i (\bnet1?(\.exe)? +use +([^ \t]+ +)?\\\\[^ \t]+ +(/user:[^ \t]+ +)?)("[^"]+"|[^ \t/&|;>"][^ \t"]*) => \1REDACTED
i (\b(psexec(64)?|certutil|winrs|signtool|schtasks)(\.exe)?( .*)? [-/]r?p[ :=]+)("[^"]+"|'[^']+'|[^ \t"']+) => \1REDACTED
c (\b(sqlcmd|bcp|osql)(\.exe)?( .*)? -P *)("[^"]+"|'[^']+'|[^ \t"']+) => \1REDACTED
c (\b(mysql[a-z]*|sshpass|7z[ar]?)(\.exe)?( .*)? -p)("[^"]+"|'[^']+'|[^ \t"']+) => \1REDACTED
i (ConvertTo-SecureString( +-(AsPlainText|Force|String))* +)("[^"]+"|'[^']+'|[^ \t"'$(-][^ \t"')]*) => \1REDACTED
i ((Network|PS)Credential\(? *["'][^"']*["'] *, *)("[^"]+"|'[^']+') => \1REDACTED
i (<[a-z:]*KEY> *(<value>)?)[^< \t][^<]* => \1REDACTED
i (<value>)[^<]+(</value> *<plaintext>) => \1REDACTED\2
i ((key|name)\\*["']?[ \t]*[=:][ \t]*\\*["']?[a-z0-9_.-]*KEY\\*["']?[ \t,]*\\*["']?value\\*["']?[ \t]*[=:][ \t]*\\*["']?)[^ \t"'\\,}]+ => \1REDACTED
i (\b(password|kennwort|passwort) (is )?["'])[^"']+ => \1REDACTED
i (\b(echo|write-output|printf) +)[^|]+(\|.*-stdin) => \1REDACTED \3
c \b(gh[oprsu]_|github_pat_|gl(pat|rt|dt|ptt)-|xox[a-z]-|dckr_pat_|AKIA|ASIA)[A-Za-z0-9_-]{16,} => REDACTED-TOKEN
i (://)[^/@: \t"']{20,}@ => \1REDACTED@
i ([?&]code=)[^& \t"']{20,} => \1REDACTED
c \b[A-Z0-9]{5}(-[A-Z0-9]{5}){4}\b => REDACTED
c (^|[^A-Za-z0-9+/=])[A-Za-z0-9+/]{43}=($|[^A-Za-z0-9+/=]) => \1REDACTED\2
SECRETS
)"

rules=""
while IFS= read -r line; do
  if [[ "$line" == KEY=* ]]; then
    names="${line#KEY=}"
    continue
  fi
  flags=g
  [[ "$line" == i* ]] && flags=gI
  pattern="${line#? }"
  pattern="${pattern% => *}"
  # A control character, because patterns have all others.
  rules+="s"$'\001'"${pattern//KEY/"$names"}"$'\001'"${line##* => }"$'\001'"$flags"$'\n'
done <<<"$secrets"

# Replaces whatever looks like a secret. Private keys go as a whole: in one line, with the line ends written as \n, and over
# several lines. In the locale C no byte is an invalid character, at which a pattern would end.
redact() {
  LC_ALL=C sed -E \
    -e 's/-----BEGIN [A-Z ]*PRIVATE KEY[A-Z ]*-----.*-----END [A-Z ]*PRIVATE KEY[A-Z ]*-----/REDACTED-KEY/g' \
    -e "s/-----BEGIN [A-Z ]*PRIVATE KEY[A-Z ]*-----(\\\\+[rn])+[^\"' ]*/REDACTED-KEY/g" \
    -e '/-----BEGIN [A-Z ]*PRIVATE KEY[A-Z ]*-----/,/-----END [A-Z ]*PRIVATE KEY[A-Z ]*-----/{' \
    -e '/-----BEGIN /!{' \
    -e 's/^.*-----END [A-Z ]*PRIVATE KEY[A-Z ]*-----(.+)/\1/' \
    -e 't kept' \
    -e 'd' \
    -e '}' \
    -e 's/-----BEGIN .*/REDACTED-KEY/' \
    -e '}' \
    -e ':kept' \
    -e "$rules"
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
