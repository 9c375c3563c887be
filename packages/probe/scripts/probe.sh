#!/bin/bash
# Runs the steps in $STEPS, each a name and an argument, separated by semicolons. Each step writes one line of JSON, which
# packages/probe/results.ts reads. The container has /usr of its node, so it runs the node's bash, ip, ping and curl; the network is
# that of the pod.
set -u
export LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin

# A text of one line as JSON.
quoted() {
  local text="${1//$'\n'/ }"
  text="${text//\\/\\\\}"
  text="${text//\"/\\\"}"
  printf '"%s"' "${text//[[:cntrl:]]/}"
}

# STEP ARGUMENT FIELDS
result() {
  printf '{"step":"%s","argument":%s,%s}\n' "$1" "$(quoted "$2")" "$3"
}

milliseconds() {
  echo $(($(date +%s%N) / 1000000))
}

adapters() {
  local found
  found="$(ip -j address)"
  result adapters "$1" "\"ip\":${found:-null}"
}

names() {
  local found
  found="$(timeout 20 getent ahostsv4 "$1" | cut -d ' ' -f 1 | sort -u | tr '\n' ' ')"
  result names "$1" "\"addresses\":$(quoted "${found% }")"
}

refused() {
  local open=false
  timeout 5 bash -c "exec 3<>/dev/tcp/${1%:*}/${1##*:}" 2>/dev/null && open=true
  result refused "$1" "\"open\":$open"
}

# ADDRESS SIZE: the answer to packets of this size, with the headers of IP and ICMP, that must not be fragmented. A lost
# packet is sent again.
packet() {
  local answer
  for _ in 1 2 3; do
    # shellcheck disable=SC1010 # `do` is the word for "prohibit fragmentation".
    if answer="$(ping -n -c 1 -W 2 -M do -s $(($2 - 28)) "$1" 2>&1)"; then
      echo Success
      return
    fi
    # iputils: "ping: local error: message too long, mtu=1350", "From 10.0.0.1 icmp_seq=1 Frag needed and DF set".
    case "$answer" in
      *essage\ too\ long* | *Frag\ needed*)
        echo PacketTooBig
        return
        ;;
      *\ 0\ received*) ;;
      *)
        echo "$answer"
        return
        ;;
    esac
  done
  echo TimedOut
}

packets() {
  local low=576 high=1501 middle status tried
  status="$(packet "$1" $low)"
  tried="[$low,$(quoted "$status")]"
  [ "$status" = Success ] || high=$low
  while [ $((high - low)) -gt 1 ]; do
    middle=$(((low + high) / 2))
    status="$(packet "$1" $middle)"
    tried="$tried,[$middle,$(quoted "$status")]"
    if [ "$status" = Success ]; then low=$middle; else high=$middle; fi
  done
  result packets "$1" "\"sizes\":[$tried]"
}

transfer() {
  local began answer back
  began="$(milliseconds)"
  answer="$(head -c 1048576 /dev/zero | curl -sS -m 60 -H 'Expect:' -H 'Content-Type: application/octet-stream' --data-binary @- "$1" 2>&1)"
  back="$(curl -sS -m 60 -o /dev/null -w '%{size_download}' "$1/megabyte" 2>&1)"
  result transfer "$1" "\"sent\":$(quoted "$answer"),\"received\":$(quoted "$back"),\"ms\":$(($(milliseconds) - began))"
}

service() {
  local answer
  for _ in 1 2 3 4 5; do
    answer="$(curl -sS -m 10 "$1" 2>&1)" && break
    sleep 3
  done
  result service "$1" "\"answer\":$(quoted "$answer")"
}

clock() {
  local before after date
  before="$(milliseconds)"
  date="$(curl -sk -m 20 -D - -o /dev/null "$1" | tr -d '\r' | grep -i '^date: ')"
  after="$(milliseconds)"
  result clock "$1" "\"before\":$before,\"after\":$after,\"date\":$(quoted "${date#*: }")"
}

write() {
  printf '%s' "$1" >/data/probe.txt
  sync
  result write "$1" "\"text\":$(quoted "$(cat /data/probe.txt 2>&1)")"
}

read_back() {
  result read_back "$1" "\"text\":$(quoted "$(cat /data/probe.txt 2>&1)")"
}

# Stays, so that others can send packets to this pod.
serve() {
  result serve "$1" '"ready":true'
  sleep infinity
}

# shellcheck disable=SC2153 # It comes from the environment of the pod.
IFS=';' read -r -a steps <<<"$STEPS"
for each in "${steps[@]}"; do
  read -r step argument <<<"$each"
  case "$step" in
    adapters | names | refused | packets | transfer | service | clock | write | read_back | serve)
      "$step" "$argument" </dev/null
      ;;
    *) result "$step" "$argument" '"error":"this step does not exist on Linux"' ;;
  esac
done
