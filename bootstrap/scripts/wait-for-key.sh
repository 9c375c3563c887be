#!/bin/bash
# Waits until the identity of azure.json can encrypt with a key in Key Vault, as the plugin will: wait-for-key.sh KEY-URL SECONDS.
# Fails after that time.
#
# Azure needs up to ten minutes until a new role works (learn.microsoft.com/azure/role-based-access-control/troubleshooting).
# kubeadm v1.36 asks /livez of the API server, which has no check of KMS, and then tries for one minute only to write the
# Secret of a bootstrap token (app/constants: KubernetesAPICallTimeout). A `kubeadm init` that failed is not repeated.
set -u
key="$1"
limit="$2"
identity="$(sed -n 's/.*"userAssignedIdentityID": *"\([^"]*\)".*/\1/p' /etc/kubernetes/azure.json)"
metadata="http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01"
before=""

# Prints nothing, or why the key cannot be used. The token is in no argument.
refusal() {
  local answer token
  answer="$(curl -sS --max-time 10 --noproxy '*' -H Metadata:true \
    "$metadata&resource=https%3A%2F%2Fvault.azure.net&client_id=$identity" 2>&1)"
  token="$(sed -n 's/.*"access_token":"\([^"]*\)".*/\1/p' <<<"$answer")"
  if [ -z "$token" ]; then
    echo "no token for the identity $identity: $answer"
    return
  fi
  answer="$(curl -sS --max-time 20 -H @- -H 'Content-Type: application/json' -w ' HTTP %{http_code}' \
    -d '{"alg":"RSA-OAEP-256","value":"AA"}' "$key/encrypt?api-version=7.4" <<<"Authorization: Bearer $token" 2>&1)"
  case "$answer" in
    *" HTTP 200") ;;
    *) echo "$answer" ;;
  esac
}

while why="$(refusal)" && [ -n "$why" ]; do
  # Each answer once.
  [ "$why" = "$before" ] || echo "capz-windows: waiting for $key: $why"
  before="$why"
  if [ "$SECONDS" -ge "$limit" ]; then
    echo "capz-windows: $key cannot be used after $limit seconds, so kubeadm does not start"
    exit 1
  fi
  sleep 10
done
echo "capz-windows: $key encrypts"
