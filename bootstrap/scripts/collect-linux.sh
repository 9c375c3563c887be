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

# What a secret looks like, the same list as in collect-windows.ps1. Each row is a pattern that sed and .NET read alike, for any case (i)
# or not (c), and what takes its place; n hides the line after the one that ends so. Words in capitals stand for the first rows. What
# follows the name of a secret, or a program that takes one, is hidden to the end of its quotes or of the line: too much rather than
# too little. The last rows hide what has letters in both cases and digits, and is no word.
secrets="$(
  cat <<'SECRETS'
PASS=(pass(w(or)?d|wor[dt]|phrase|code|[-_ ](word|phrase))|pwd|(bind|root)_?pw|kennwort|contrase|mot[-_ ]de[-_ ]passe|bearer|cookie|authorization|identified +by)
KEY=(secret|token|credential|signature|communit(y|ies)|[a-z0-9][-_]?key|(access|account|api|certificate|encryption|master|private|product|recovery) key|client-certificate-data|connection[-_ ]?string|key[-_]?material|protectedsettings|commandtoexecute)
SHORT=(pass|pw|pat|psk|creds?|auth|sas|sig|rp)
RUN=(setx|cmdkey|netdom|net1?(\.exe)? +user?|schtasks|psexec(64)?|winrs|wmic|certutil|certreq|signtool|slmgr(\.vbs)?|dism|reg(\.exe)? +add|(new|set)-itemproperty|sqlcmd|bcp|[io]sql|sqlplus|rman|(exp|imp)dp|mysql[a-z]*|mariadb[a-z-]*|mongo[a-z]*|redis-[a-z]+|ldap[a-z]+|smb(client|get)|rpcclient|sshpass|plink|[xw]freerdp|rdesktop|7z[arz]?|(un)?(zip|rar)|gpg|openssl|keytool|pvk2pfx|htpasswd|user(add|mod)|ipmitool|openconnect|twine|vmrun|nuget|wpa_passphrase|user-secrets|setapikey|snmp[a-z-]*|r[ow]community6?|com2sec6?|nssm +set|ssh-keygen|rclone|pulumi +config|(keyvault|create) +secret|vault +(kv|write|token)|login)
READ=(-stdin|--passphrase-fd|--with-token|sudo .{0,60}-S |chpasswd|kinit|runas|smbpasswd|cryptsetup|<<<|secret +create|ConvertTo-SecureString|SetEnvironmentVariable|credential\(|(network|ps)credential)
n ((PASS|KEY|SHORT)[a-z0-9_-]{0,40}\\*["']?[ \t]*[=:>]+[ \t]*([|>][-+0-9]*[ \t]*)?|name\\*["']?[ \t]*[=:][ \t]*["']?[a-z0-9_.-]{0,40}(PASS|KEY|SHORT)[a-z0-9_-]{0,40}["']?,?[ \t]*|ValidCommunities[ \t]*)
i (://)[^/ \t"']+@ => \1REDACTED@
i (://[^/@: \t"']{0,200}:)[^0-9/ \t"'@][^ \t"'@]{0,200}@ => \1REDACTED@
i (webhook[a-z0-9.]{0,40}/)[^ \t"']+ => \1REDACTED
i (jdbc:[a-z0-9]+:).+ => \1REDACTED
i READ => \x05\1
c ^[^|\x05]*\|[^\x05]*\x05.* => REDACTED
i \x05READ.* => \1 REDACTED
i ([^ \t][?]|%3F|\\u003f)[^ \t"'<>]+ => \1REDACTED
i (^|[^a-z0-9])(RUN(\.exe)?\\*["']?[ \t,]+).+ => \1\2REDACTED
i (["']-p\\*["'],[ \t]*\\*["'])[^"'\\]+ => \1REDACTED
i (PASS[a-z0-9_-]{0,40}\\*["']?[ \t]*[=:>]*[ \t]*).+ => \1REDACTED
i ((^|[ \t"'(])-([a-z-]{0,40}(user|creds)[ \t=]|u)[ \t=]*["']?[^ \t:%"'/]+[:%]).+ => \1REDACTED
i (KEY[a-z0-9_.-]{0,40}["']?[ \t]*[=:>]+[ \t]*")([^"\\]|\\.|"")+ => \1REDACTED
i (KEY[a-z0-9_.-]{0,40}["']?[ \t]*[=:>]+[ \t]*')([^']|'')+ => \1REDACTED
i (KEY[a-z0-9_.-]{0,40}\\*["']?[ \t]*[=:>]+[ \t]*)[^ \t"'{[].* => \1REDACTED
i ((^|[ \t"'([])[-/][a-z-]{0,40}(KEY[a-z-]{0,40}|SHORT)([ \t:]+|\\*["'],[ \t]*\\*["']?)).+ => \1REDACTED
i ((^|[^a-z0-9_.-])key[ \t]*=[ \t]*)[^ \t"'/(){},;]{0,80}[0-9][^ \t"']* => \1REDACTED
c ((^|[^A-Za-z0-9_.-])[Kk][Ee][Yy][ \t]*=[ \t]*["'])([^ "'/]{0,80}[A-Z][^ "'/]{0,80}[0-9]|[^ "'/]{0,80}[0-9][^ "'/]{0,80}[A-Z])[^"']* => \1REDACTED
i ((KEY|SHORT)\\*["'][ \t,]*\\*["']?value\b).+ => \1REDACTED
i (_KEY[ \t]+).+ => \1REDACTED
i (KEY[a-z]{0,20}[ \t\\"']{1,4})((is|was|value)[ \t].+|([0-9]|[^ \t:=][^ \t]{0,200}[0-9]).*) => \1REDACTED
i (^|[^a-z])(SHORT\\*["']?[ \t]*[=:]+>?[ \t]*).+ => \1\2REDACTED
c ([a-z](Pass|Pw|Pat)["']?[ \t]*[=:]+[ \t]*).+ => \1REDACTED
i (<value>)[^<]+ => \1REDACTED
i (value\\*["'][ \t]*:[ \t]*\\*["'])[^"'\\]+ => \1REDACTED
c \b([a-z0-9]{6})\.[a-z0-9]{16}\b => \1.REDACTED
c eyJ[A-Za-z0-9_+/=-]{8,}(\.[A-Za-z0-9_=-]*)* => REDACTED
c (AKIA|ASIA|AIza|hv[sbr]\.|AGE-SECRET-|hf_|pul-|do[opr]_v1_|dapi|rubygems_|shp[a-z]{2}_|gl[a-z]{2,5}-|gh[a-z]_|npm_|xox[a-z]-|sk[-_])[A-Za-z0-9_-]{16,} => REDACTED
c \$(1|2[abxy]|5|6|7|y|apr1)\$[^ \t"']+ => REDACTED
i \b[a-z0-9]{5}(-[a-z0-9]{5}){4}\b => REDACTED
c (^|[^A-Za-z0-9+/=])[A-Za-z0-9+/]{43}=($|[^A-Za-z0-9+/=]) => \1REDACTED\2
c [A-Za-z0-9+/]{86}== => REDACTED
c ([A-Za-z0-9]{16,}) => \x02\1\x03
c \x02([a-z0-9]*|[A-Z0-9]*|[A-Za-z]*|[A-Z]*[a-z]*([A-Z][a-z]+)*[0-9]*[a-z]{0,4})\x03 => \1
c [A-Za-z0-9+/_~-]{0,200}\x02[^\x03]*\x03[A-Za-z0-9+/_~=\x02\x03-]* => REDACTED
SECRETS
)"

declare -A words
rules="" next=""
while IFS= read -r line; do
  if [[ "$line" =~ ^([A-Z]+)=(.*) ]]; then
    words["${BASH_REMATCH[1]}"]="${BASH_REMATCH[2]}"
    continue
  fi
  pattern="${line#? }"
  for name in "${!words[@]}"; do
    pattern="${pattern//"$name"/"${words[$name]}"}"
  done
  if [[ "$line" == n* ]]; then
    next="$pattern"
    continue
  fi
  flags=g
  [[ "$line" == i* ]] && flags=gI
  # A control character, because patterns have all others.
  rules+="s"$'\001'"${pattern% => *}"$'\001'"${line##* => }"$'\001'"$flags"$'\n'
done <<<"$secrets"

# Replaces whatever looks like a secret. Private keys go as a whole: in one line, with the line ends written as \n, and over
# several lines. In the locale C no byte is an invalid character, at which a pattern would end. Control characters go first: two of
# them are marks. Of lines that end so one after the other, as if a key followed, eight are joined: a ninth time over them all would
# take too long. The key that has begun in them is remembered.
redact() {
  LC_ALL=C tr -d '\000-\010\013-\037\177' |
    LC_ALL=C awk 'length > 16000 { $0 = "(a line of more than 16,000 characters)" } 1' |
    LC_ALL=C sed -E \
      -e ':next' \
      -e $'\\\001'"$next"$'$\001I{' \
      -e '$!N' \
      -e '/\n.*-----/{' \
      -e '/(\x06.*){8}\n/{' \
      -e 's/-----BEGIN [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----.*-----END [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----/REDACTED-KEY/g' \
      -e '/-----BEGIN [A-Z ]{0,30}PRIVATE KEY[^\n]*\n/!s/^.*\n/REDACTED\n/' \
      -e 's/^.*(-----BEGIN [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----).*\n/\1\n/' \
      -e '}' \
      -e 's/\n/\x06/' \
      -e 'b next' \
      -e '}' \
      -e 's/\n.*/\x04/' \
      -e '}' \
      -e 's/\x06/ /g' \
      -e 's/-----BEGIN [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----.*-----END [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----/REDACTED-KEY/g' \
      -e "s/-----BEGIN [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----(\\\\+[rn])+[^\"' ]*/REDACTED-KEY/g" \
      -e '/-----BEGIN [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----/,/-----END [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----/{' \
      -e '/-----BEGIN /!{' \
      -e 's/^.*-----END [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----(.+)/\1/' \
      -e 't kept' \
      -e 'd' \
      -e '}' \
      -e 's/-----BEGIN .*/REDACTED-KEY/' \
      -e '}' \
      -e ':kept' \
      -e "$rules" \
      -e 's/\x04/\nREDACTED/g'
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

# below FOLDER PATH...: saves the files that are in a folder. Containers may make links there, also between two looks at a path:
# the place is asked of the file that is open, and this one is read.
below() {
  local folder path fd
  folder="$(realpath "$root$1" 2>/dev/null)"
  shift
  for path in "$@"; do
    if [ -f "$path" ] && { exec {fd}<"$path"; } 2>/dev/null; then
      if [[ -f "/dev/fd/$fd" && "$(readlink "/dev/fd/$fd")" == "${folder:?}"/* ]]; then
        keep "files${path#"$root"}" <&"$fd"
      fi
      exec {fd}<&-
    fi
  done
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

# Links of the system, which no container makes.
file /etc/os-release
file /etc/resolv.conf
below /var/log "$root"/var/log/{cloud-init,cloud-init-output,waagent}.log
below /var/log/calico "$root"/var/log/calico/cni/*.log
below /var/log/pods "$root"/var/log/pods/{kube-system,calico-system,tigera-operator}_*/*/*.log
below /etc/netplan "$root"/etc/netplan/*.yaml
below /etc/cni "$root"/etc/cni/net.d/*.conflist
below /var/lib/kubelet "$root"/var/lib/kubelet/kubeadm-flags.env
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
